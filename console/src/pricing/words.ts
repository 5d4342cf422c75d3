/** The operator's decision about new accounts, in the words of the pages. */
export const ASK_WORDS = 'Ask the operator of this server for an account.'
export const CLOSED_WORDS = `Sign-up is closed here. ${ASK_WORDS}`
export const APPROVAL_WORDS = 'The operator of this server approves every new account before its first check.'
