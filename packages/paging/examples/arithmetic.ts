import { hasNextPage, isLastPage, lastPage, pageCount, pageOffset, pageRange } from '@proj/paging';
import { pageMetadata, paginate, readPageMetadata } from '@proj/paging';

pageOffset({ page: 3, size: 10 }); // 20n
pageRange({ page: 3, size: 10 }, 42); // { first: 21n, last: 30n, count: 10n }
pageRange({ page: 6, size: 10 }, 42); // { first: null, last: null, count: 0n }
hasNextPage({ page: 4, size: 10 }, 42); // true
hasNextPage({ page: 5, size: 10 }, 42); // false
isLastPage({ page: 5, size: 10 }, 42); // true
pageCount(42, 10); // 5n
lastPage(0, 10); // 1n
pageMetadata({ page: 5, size: 10 }, 42); // { page: '5', size: '10', total: '42', has_next: false }
readPageMetadata({ page: '5', size: '10', total: '42', has_next: false }, 'number'); // { page: 5, size: 10, total: 42, hasNext: false }
paginate(['a', 'b', 'c'], { page: 2, size: 2 }); // { result: ['c'], page: { page: '2', size: '2', total: '3', has_next: false } }
