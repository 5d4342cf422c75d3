/** Set by `npm run test:full`: rule suites run on both databases, and long forms run too. */
export const FULL: boolean = process.env.ASSAY_TEST_FULL !== undefined
