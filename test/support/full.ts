/** `npm run test:full` sets it: rule suites run on both databases, long forms run too. */
export const FULL: boolean = process.env.ASSAY_TEST_FULL !== undefined
