declare module 'postject' {
  interface Postject {
    inject(
      file: string,
      resource: string,
      content: Buffer,
      options: { readonly sentinelFuse: string },
    ): Promise<void>;
  }
  const postject: Postject;
  export default postject;
}
