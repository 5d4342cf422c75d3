/** The path under which a proxy serves the whole service; empty when the service has its own host. */
export const BASE_PATH: string = document.querySelector('meta[name="assay-base"]')?.getAttribute('content') ?? ''
