/** A document as plain data: what the build makes of Markdown, and what the page draws. No HTML is ever in it. */

export interface Attributes {
  readonly id?: string
  readonly href?: string
  /** Of a link to another guide: its name, and the place in it. */
  readonly guide?: string
  readonly src?: string
  readonly alt?: string
  readonly start?: number
  /** Of a cell: the title of its column, for screens too narrow for columns. */
  readonly column?: string
}

export type TreeElement = readonly [tag: string, attributes: Attributes, children: readonly TreeNode[]]
export type TreeNode = string | TreeElement

export interface GuideDocument {
  readonly title: string
  readonly sections: readonly { readonly id: string; readonly title: string }[]
  readonly body: readonly TreeNode[]
}
