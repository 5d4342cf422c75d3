import { isIban } from './iban.ts'

/** No registry runs these as a domain. Endings that are both (.zip, .mov, .md) are left out: somebody may own the name. */
export const FILE_ENDINGS: ReadonlySet<string> = new Set(
  (
    '7z apk asp aspx avi bak bat bin bmp cer cfg cmd conf crt css csv dll dmg doc docm docx eml exe gif gz htm html ico ' +
    'ics ini iso jar jpeg jpg js json jsp key lnk log mp3 mp4 msg msi odp ods odt p12 p7m p7s pdf pem pfx php png ppt ' +
    'pptx ps1 rar rtf scr sql svg tar tgz tif tiff tmp ts tsv txt vbs vcf wav webp wsf xls xlsm xlsx xml yaml yml'
  ).split(' '),
)

export const endsLikeFile = (name: string) => FILE_ENDINGS.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase())

const ONLY = 'Only an email address, a domain or an IP address can be checked.'

/** Explains a text that is not an indicator in a sentence; undefined when the text is not recognised. */
export function otherThing(text: string): string | undefined {
  const compact = text.replace(/[\s.-]/g, '').toUpperCase()
  if (isIban(compact)) {
    return `This is a bank account number (IBAN). ${ONLY}`
  }
  if (/^\d+(?:\.\d+){3}\s*[-–]\s*\d+(?:\.\d+)*$/.test(text)) return 'This is a range: enter one IP address.'
  if (/^(?=.*\P{ASCII})\p{Nd}+(?:\.\p{Nd}+){3}$/u.test(text)) return 'Write an IP address with the digits 0 to 9.'
  if (/^\d{1,4}([./-])\d{1,2}\1\d{1,4}$/.test(text)) return `This is a date. ${ONLY}`
  const digits = text.replace(/\D/g, '').length
  if (/^(?:tel:)?\+?[\d\s()./-]+$/i.test(text) && digits >= 3) {
    const telephone = digits >= 7 && digits <= 15 && /^tel:|^[+(0]|\s/i.test(text)
    return telephone ? `This is a telephone number. ${ONLY}` : `This is a number. ${ONLY}`
  }
  if (/^\S.*\.\w{1,5}$/u.test(text) && endsLikeFile(text)) {
    return `This is the name of a file. ${ONLY}`
  }
  return undefined
}
