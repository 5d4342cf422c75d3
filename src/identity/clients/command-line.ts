/** The built-in public client of `assay login`. It belongs to no organisation; the person who signs in chooses who is charged. */
export const COMMAND_LINE_CLIENT = 'assay-cli'
export const COMMAND_LINE_NAME = 'Assay command line'
