import { strToU8, unzipSync, zipSync } from 'fflate'
import { writeXlsx } from '../../reader/src/xlsx.ts'

/** A workbook with several sheets, as spreadsheets write them; the reader's own writer creates only one sheet. */
export function workbookOf(sheets: Readonly<Record<string, readonly (readonly (string | number)[])[]>>): Uint8Array {
  const names = Object.keys(sheets)
  const files: Record<string, Uint8Array> = {
    'xl/workbook.xml': strToU8(
      `<workbook xmlns:r="r"><sheets>${names.map((name, at) => `<sheet name="${name}" r:id="r${at}"/>`).join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      `<Relationships>${names.map((_, at) => `<Relationship Id="r${at}" Target="worksheets/s${at}.xml"/>`).join('')}</Relationships>`,
    ),
  }
  for (const [at, name] of names.entries()) {
    files[`xl/worksheets/s${at}.xml`] = unzipSync(writeXlsx(sheets[name]!))['xl/worksheets/sheet1.xml']!
  }
  return zipSync(files)
}
