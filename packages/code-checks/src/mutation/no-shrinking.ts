import * as fc from 'fast-check';

/** That a test fails is enough: to look for its shortest example takes minutes. */
fc.configureGlobal({ endOnFailure: true });
