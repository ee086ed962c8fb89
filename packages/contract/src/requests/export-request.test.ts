import { describe, expect, it } from 'vitest';

import { readExportRequest } from './export-request.ts';

const LIST = { query_model: 'cities', query_attributes: ['name'] };

describe('a request for a whole list', () => {
  it('is a query without page and total', () => {
    const request = { ...LIST, query_sort: [{ attribute: 'name', direction: 'desc' }] };
    expect(readExportRequest(request)).toEqual({ ok: true, request });
    const page = { page: 1, size: 10 };
    const reading = readExportRequest({ ...LIST, page, query_total: 'none' });
    expect(reading).toMatchObject({
      errors: [
        {
          pointer: '/page',
          code: 'unknown_member',
          detail: '/page: an export has no pages; leave out page.',
        },
        {
          pointer: '/query_total',
          code: 'unknown_member',
          detail: '/query_total: an export always counts its records; leave out query_total.',
        },
      ],
    });
  });

  it('says how CSV is written', () => {
    const request = { ...LIST, export_csv: { null: 'NULL', guard_formulas: true } };
    expect(readExportRequest(request)).toEqual({ ok: true, request });
  });

  it.each([
    [{ null: 'a,b' }, '/export_csv/null', 'invalid_export_csv'],
    [{ null: 1 }, '/export_csv/null', 'invalid_type'],
    [{ guard_formulas: 'yes' }, '/export_csv/guard_formulas', 'invalid_type'],
    [{ separator: ';' }, '/export_csv/separator', 'unknown_member'],
    ['yes', '/export_csv', 'invalid_type'],
  ])('is refused with its place where CSV is to be written like %j', (csv, pointer, code) => {
    const reading = readExportRequest({ ...LIST, export_csv: csv });
    expect(reading).toMatchObject({ ok: false, errors: [{ pointer, code }] });
  });

  it('keeps the members that are well-formed where others are not', () => {
    const reading = readExportRequest({ ...LIST, query_sort: 'name' });
    expect(reading).toMatchObject({ ok: false, wellFormed: LIST });
  });
});
