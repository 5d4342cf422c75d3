/** A document as plain data: the build creates it from Markdown, and the page draws it. It never contains HTML. */

export interface Attributes {
  readonly id?: string
  readonly href?: string
  readonly guide?: string
  readonly src?: string
  readonly alt?: string
  readonly start?: number
  /** For a cell: the title of its column, for screens too narrow for columns. */
  readonly column?: string
}

export type TreeElement = readonly [tag: string, attributes: Attributes, children: readonly TreeNode[]]
export type TreeNode = string | TreeElement

export interface GuideDocument {
  readonly title: string
  readonly sections: readonly { readonly id: string; readonly title: string }[]
  readonly body: readonly TreeNode[]
}
