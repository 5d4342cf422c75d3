/** The public client every server knows: `assay login`. It belongs to no organisation; who signs in picks the payer. */
export const COMMAND_LINE_CLIENT = 'assay-cli'
export const COMMAND_LINE_NAME = 'Assay command line'
