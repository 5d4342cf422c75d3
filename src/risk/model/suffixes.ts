import { domainToUnicode } from 'node:url'

/** Country codes sold to the world as if they were generic. */
const WORLDWIDE: ReadonlySet<string> = new Set('co cc tv me io ws pw tk ml ga cf gq ai la to su cm om'.split(' '))

/** Country codes under which programs that make names up register too. */
const TAKEN_UP: ReadonlySet<string> = new Set('ru cn in eu us co.uk'.split(' '))

/** Whether the suffix belongs to one country, by name and by use. */
export function isCountrySuffix(suffix: string): boolean {
  return suffix.length - suffix.lastIndexOf('.') === 3 && !WORLDWIDE.has(suffix)
}

/** Whether names under this suffix are mostly in the language of one country's own people and firms. */
export function isHomeSuffix(suffix: string): boolean {
  return isCountrySuffix(suffix) && !TAKEN_UP.has(suffix)
}

/** Platforms that name their customers' sites in letters and digits: how it is built says nothing of anybody. */
const NAMING_PLATFORMS =
  /(?:^|\.)(?:cloudfront\.net|(?:execute-api|elb|compute)\b.*amazonaws\.com|on\.aws|akamaized\.net|translate\.goog)$/

export function assignsNames(platform: string | undefined): boolean {
  return platform !== undefined && NAMING_PLATFORMS.test(platform)
}

/** Endings that were given away or are known for fraud: however few names of them the sets hold, they vouch for nobody. */
const VOUCHES_FOR_NOBODY: ReadonlySet<string> = new Set(
  'tk ml ga cf gq bond ru su biz mov zip ir ng com.ng pw ws cc'.split(' '),
)

export function mayVouchForNames(suffix: string): boolean {
  return !VOUCHES_FOR_NOBODY.has(suffix)
}

/** A suffix as its readers write it: `рф`, not `xn--p1ai`. */
export function displaySuffix(suffix: string): string {
  return suffix.includes('xn--') ? domainToUnicode(suffix) || suffix : suffix
}

/**
 * Platforms that lend names below their own to anyone and are not in the public suffix list. What a customer does there
 * says nothing of the platform, and the platform's good name nothing of the customer.
 */
const FURTHER_PLATFORMS: ReadonlySet<string> = names(`
  jimdofree.com jimdosite.com jimdo.com weebly.com godaddysites.com wordpress.com glitch.me railway.app run.app
  000webhostapp.com rf.gd epizy.com 42web.io great-site.net infinityfreeapp.com free.nf byethost3.com byethost5.com
  byethost7.com byethost8.com byethost9.com byethost10.com byethost11.com byethost12.com byethost13.com byethost14.com
  byethost15.com byethost16.com byethost22.com byethost24.com byethost31.com mystrikingly.com strikingly.com tilda.ws
  ucoz.com ucoz.net ucoz.ru webnode.page webnode.com webnode.fr webnode.es webnode.it webnode.cz site123.me
  hubspotpagebuilder.com softr.app canva.site ghost.io substack.com tumblr.com livejournal.com webs.com angelfire.com
  tripod.com squarespace.com bigcartel.com mybigcommerce.com company.site myfreesites.net webador.com simdif.com
  teachable.com thinkific.com mykajabi.com gumroad.com itch.io neocities.org hostingersite.com builderallwppro.com
  clickfunnels.com myclickfunnels.com unbouncepages.com pagedemo.co systeme.io kartra.com getresponsepages.com gr8.com
  mailchimpsites.com zohosites.com glide.page glideapp.io azurecontainerapps.io ipfs.io dweb.link typedream.app
  wasmer.app blogspot.de blogspot.fr blogspot.it blogspot.es blogspot.co.uk blogspot.com.br blogspot.ca blogspot.in
  contactin.bio teemill.com launchrock.com ukit.me ukit.com nethouse.ru wixsite.com wixstudio.com carrd.co
  atlassian.net sharepoint.com onmicrosoft.com zendesk.com freshdesk.com statuspage.io my.salesforce.com
  lightning.force.com service-now.com okta.com auth0.com myshopify.com bamboohr.com workable.com recruitee.com
  personio.de greenhouse.io lever.co helpscoutdocs.com intercom.help uservoice.com readthedocs.io gitbook.io
`)

/** Platforms that companies rent for their own staff, customers and documents. To have a place there is nothing odd. */
const BUSINESS_PLATFORMS: ReadonlySet<string> = names(`
  atlassian.net sharepoint.com onmicrosoft.com zendesk.com freshdesk.com statuspage.io my.salesforce.com
  lightning.force.com service-now.com okta.com auth0.com myshopify.com bamboohr.com workable.com recruitee.com
  personio.de greenhouse.io lever.co helpscoutdocs.com intercom.help uservoice.com readthedocs.io
  readthedocs-hosted.com rtfd.io my.site.com myworkdayjobs.com mybigcommerce.com teachable.com thinkific.com
`)

/** Platforms where brands publish under their own names, beside everybody else. */
const PUBLISHING_PLATFORMS: ReadonlySet<string> = names(`
  github.io gitlab.io bitbucket.io substack.com ghost.io hf.space itch.io tumblr.com wordpress.com blogspot.com
  neocities.org livejournal.com
`)

/** Platforms that lend a host to anyone within a minute and without a name: most of what fraud puts up for a day is here. */
const FLEETING_PLATFORMS: ReadonlySet<string> = names(`
  pages.dev workers.dev webflow.io framer.app framer.website framer.ai framer.media typedream.app wasmer.app dweb.link
  ipfs.io replit.app replit.dev repl.co trycloudflare.com r2.dev bolt.host godaddysites.com eu.cc cprapid.com
  000webhostapp.com glitch.me
`)

// The platform's own pages rather than a customer's.
const OPERATORS: ReadonlySet<string> = names(`
  www app apps api login cdn static mail help support blog docs status dashboard account accounts my m en de fr es auth
  admin assets media img images developer developers community forum about go get learn academy store shop marketplace
  id sso secure signin signup console news careers jobs legal press partners info public widget widgets embed analytics
  events email link links click track files uploads download web editor sites gateway oauth push billing checkout mobile business ads oauth2 upload
`)

/** Whether `name` lends names below its own to anyone. */
export function isFurtherPlatform(name: string): boolean {
  return FURTHER_PLATFORMS.has(name)
}

/** Whether the label in front of a platform is the operator's: `www`, `static1`, `public-api`. */
export function isOperator(customer: string): boolean {
  return customer.split('-').every((piece) => OPERATORS.has(piece.replace(/\d+$/, '')))
}

export function isBusinessPlatform(platform: string): boolean {
  return BUSINESS_PLATFORMS.has(platform)
}

export function isFleetingPlatform(platform: string): boolean {
  return FLEETING_PLATFORMS.has(platform)
}

/** Whether people publish there for years under names of their own, more than anywhere for a day. */
export function isPublishingPlatform(platform: string): boolean {
  return PUBLISHING_PLATFORMS.has(platform)
}

/** Whether the brand itself may well be the one that has its name on this platform. */
export function welcomesBrands(platform: string): boolean {
  return PUBLISHING_PLATFORMS.has(platform) || BUSINESS_PLATFORMS.has(platform)
}

function names(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}
