export { RESEARCH_ADDRESSES } from '../lib/research-scanners.ts'

/**
 * Names and addresses known without any list. They ship with the server so that the first start already knows what
 * must not be condemned, and what strangers share.
 */

/** Mailbox providers with millions of users: free mail, never disposable. */
export const MAIL_PROVIDERS: readonly string[] = words(`
  gmail.com googlemail.com outlook.com outlook.fr outlook.de outlook.es outlook.it outlook.jp hotmail.com hotmail.co.uk
  hotmail.fr hotmail.de hotmail.it hotmail.es live.com live.co.uk live.fr live.nl live.com.au msn.com passport.com
  yahoo.com yahoo.co.uk yahoo.fr yahoo.de yahoo.it yahoo.es yahoo.ca yahoo.com.br yahoo.co.jp yahoo.co.in yahoo.in
  yahoo.com.au yahoo.com.mx yahoo.com.ar yahoo.com.tw yahoo.com.hk ymail.com rocketmail.com aol.com aol.co.uk aim.com
  icloud.com me.com mac.com proton.me protonmail.com pm.me tutanota.com tuta.com tuta.io fastmail.com fastmail.fm
  zoho.com zohomail.com zohomail.eu gmx.com gmx.net gmx.de gmx.at gmx.ch gmx.co.uk web.de mail.com email.com freenet.de
  t-online.de arcor.de mailbox.org posteo.de posteo.net hushmail.com runbox.com startmail.com hey.com mail.ru bk.ru
  list.ru inbox.ru internet.ru yandex.ru yandex.com ya.ru rambler.ru ukr.net i.ua abv.bg seznam.cz centrum.cz onet.pl
  wp.pl o2.pl interia.pl gazeta.pl libero.it virgilio.it alice.it tin.it tiscali.it orange.fr wanadoo.fr free.fr sfr.fr
  laposte.net neuf.fr bluewin.ch telenet.be skynet.be ziggo.nl kpnmail.nl planet.nl home.nl btinternet.com
  btconnect.com sky.com virginmedia.com ntlworld.com blueyonder.co.uk talktalk.net comcast.net verizon.net att.net
  sbcglobal.net bellsouth.net cox.net charter.net earthlink.net juno.com netzero.net frontier.com optonline.net
  rogers.com shaw.ca sympatico.ca telus.net bigpond.com optusnet.com.au iinet.net.au xtra.co.nz uol.com.br bol.com.br
  terra.com.br ig.com.br globo.com sapo.pt rediffmail.com indiatimes.com qq.com foxmail.com 163.com 126.com
  yeah.net 139.com 189.cn sina.com sina.cn sohu.com aliyun.com naver.com daum.net hanmail.net nate.com
  docomo.ne.jp ezweb.ne.jp softbank.ne.jp nifty.com walla.co.il
`)

/** Services that forward to a real mailbox on purpose: private, not throw-away. */
export const MAIL_RELAYS: readonly string[] = words(`
  privaterelay.appleid.com duck.com mozmail.com relay.firefox.com simplelogin.com
  simplelogin.co simplelogin.fr simplelogin.io aleeas.com slmail.me slmails.com silomails.com 8alias.com 8shield.net
  dralias.com anonaddy.com anonaddy.me addy.io passmail.com passmail.net passinbox.com passfwd.com 33mail.com
  erine.email fwdnow.com opayq.com abine.com ironvest.com reply.github.com
  users.noreply.github.com marketplace.amazon.com
`)

/** Organisations whose own names no list entry may condemn. */
export const KNOWN_GOOD_DOMAINS: readonly string[] = words(`
  google.com youtube.com gstatic.com googleapis.com googleusercontent.com android.com apple.com icloud.com
  microsoft.com office.com office365.com live.com windows.com windows.net azure.com microsoftonline.com sharepoint.com
  linkedin.com github.com gitlab.com bitbucket.org amazon.com amazonaws.com cloudfront.net facebook.com instagram.com
  whatsapp.com meta.com twitter.com x.com t.co telegram.org t.me wikipedia.org wikimedia.org mozilla.org firefox.com
  cloudflare.com akamai.com fastly.com fastly.net paypal.com stripe.com visa.com mastercard.com americanexpress.com
  adobe.com salesforce.com oracle.com ibm.com sap.com dropbox.com box.com zoom.us slack.com notion.so atlassian.com
  docusign.com docusign.net netflix.com spotify.com ebay.com walmart.com yahoo.com bing.com duckduckgo.com baidu.com
  qq.com taobao.com alibaba.com yandex.ru yandex.net vk.com reddit.com stackoverflow.com npmjs.com python.org debian.org
  ubuntu.com kernel.org ietf.org w3.org iana.org icann.org isc.org letsencrypt.org digicert.com verisign.com godaddy.com
  namecheap.com wordpress.org wordpress.com shopify.com squarespace.com wix.com weebly.com canva.com bbc.co.uk bbc.com
  cnn.com nytimes.com theguardian.com europa.eu gov.uk who.int un.org
`)

/**
 * Further names of well-known organisations: where their mail, pictures, updates and customers' accounts live. To one
 * who knows only the first name, paypalobjects.com looks like an imitation.
 */
export const FURTHER_NAMES: readonly string[] = words(`
  appleid.com apple-dns.net apple-cloudkit.com apple-mapkit.com apple.news applepay.com aaplimg.com mzstatic.com
  icloud-content.com cdn-apple.com itunes.com beatsbydre.com google-analytics.com googletagmanager.com
  googletagservices.com googlesyndication.com googleadservices.com googlevideo.com googleoptimize.com google.dev
  withgoogle.com googlemail.com doubleclick.net ggpht.com ytimg.com youtube-nocookie.com youtubekids.com gvt1.com
  gvt2.com chrome.com chromium.org recaptcha.net waze.com fitbit.com nest.com deepmind.com microsoft365.com
  office.net outlookmobile.com windowsupdate.com windowsazure.com msftconnecttest.com msftncsi.com msftauth.net
  msauth.net msauthimages.net msedge.net msn.com bingapis.com skype.com skypeforbusiness.com lync.com xboxlive.com
  xboxservices.com hotmail.com passport.com microsoftstore.com microsoftteams.com azure.net msidentity.com
  microsoftonline-p.com microsoftonline-p.net linkedin.cn licdn.com githubassets.com github.dev githubcopilot.com
  npmjs.org minecraft.net mojang.com amazon-adsystem.com amazonpay.com amazonses.com amazontrust.com amazonalexa.com
  amazonprime.com media-amazon.com ssl-images-amazon.com images-amazon.com primevideo.com aboutamazon.com
  awsstatic.com kindle.com audible.com twitch.tv ttvnw.net jtvnw.net imdb.com zappos.com fb.com fbcdn.net fbsbx.com
  facebook.net facebookmail.com metamail.com cdninstagram.com whatsapp.net oculus.com messenger.com threads.net
  twimg.com twttr.com redditmedia.com redditstatic.com redd.it pinimg.com snapchat.com tiktokcdn.com tiktokv.com
  netflix.net nflxvideo.net nflximg.net nflxext.com nflxso.net spotifycdn.com scdn.co disney-plus.net disneyplus.com
  bamgrid.com hbomax.com hulu.com paypalobjects.com paypal-mktg.com paypalcorp.com paypal-communication.com
  paypal-community.com braintreegateway.com braintreepayments.com venmo.com xoom.com joinhoney.com stripe.network
  stripecdn.com link.com squareup.com squarecdn.com square-mail.com squareupmessaging.com cash.app afterpay.com
  klarnacdn.net klarnaservices.com adyenpayments.com worldpay.com sagepay.com opayo.co.uk gocardless.com mollie.com
  aexp.com aexp-static.com mastercardservices.com visaonline.com discovercard.com discover.com dinersclub.com
  zellepay.com westernunion.com moneygram.com transferwise.com jpmorganchase.com jpmchase.com jpmorgan.com bofa.com
  ml.com merrilledge.com wellsfargoadvisors.com wellsfargoemail.com citibankonline.com citigroup.com
  capitalone360.com capitalonebank.com schwab.com fidelityinvestments.com vanguardinvestor.co.uk goldmansachs.com
  morganstanleyclientserv.com hsbcnet.com hsbcprivatebank.com firstdirect.com barclaycard.co.uk barclayscorp.com
  barclaysbank.com barclayswealth.com lloydsbankinggroup.com halifax-online.co.uk bankofscotland.co.uk
  natwestgroup.com rbs.com natwestmarkets.com nwolb.com santanderbank.com tescobank.com sainsburysbank.co.uk
  johnlewisfinance.com johnlewismoney.com marksandspencerbank.com virginmoney.com nationwide-intermediary.co.uk
  co-operativebank.co.uk metrobankonline.co.uk commerzbank.com comdirect.de deutsche-bank.com dws.com ing-diba.de
  sparkassen-finanzportal.de bnpparibasfortis.be bnpparibasfortis.com bnpparibas-am.com societegenerale.com
  creditmutuel.fr cic.fr santanderconsumer.com bbvacompass.com caixabankresearch.com unicreditgroup.eu
  intesasanpaoloprivatebanking.com adobe.io adobelogin.com adobedtm.com adobesc.com adobecqms.net adobesign.com
  adobesigncdn.com echosign.com typekit.net typekit.com omtrdc.net photoshop.com behance.net exacttarget.com
  slack-edge.com slackb.com slack-imgs.com slack-files.com slackhq.com atl-paas.net zoomgov.com zoom.com
  docusignmail.com dropboxapi.com dropboxstatic.com dropbox-dns.com boxcdn.net notion.com evernote.com shopifysvc.com
  shopifycdn.com shopify-analytics.com shopifyemail.com shopifycloud.com mailchimp.com mailchimpapp.net sendgrid.com
  mailgun.com postmarkapp.com hubspot.com hs-analytics.net zdassets.com zohocorp.com zohocdn.com freshworks.com
  intercom.io intercomcdn.com servicenow.com workday.com myworkday.com successfactors.com sapsf.com concur.com
  concursolutions.com ariba.com coupahost.com netsuite.com ibmcloud.com redhat.com vmware.com ciscospark.com
  webex.com umbrella.com opendns.com intuit.net quickbooks.com turbotax.com creditkarma.com xero.com sage.com
  sageone.com freeagent.com adp.com paychexonline.com gusto.com deel.com rippling.com cloudflare-dns.com
  cloudflareinsights.com cloudflarestream.com one.one akamai.net akamaitechnologies.com fastlylb.net cdnjs.com
  bootstrapcdn.com jquery.com wp.com gravatar.com automattic.com sectigo.com globalsign.com entrust.net identrust.com
  lencr.org usertrust.com dhlparcel.nl dhl-parcel.es dhlecommerce.nl dpdhl.com deutschepost.de dpdgroup.com
  dpdlocal.co.uk fedexoffice.com upsemail.com ups-mi.net royalmailgroup.com parcelforce.com postoffice.co.uk usps.gov
  evri.com hermesworld.com gls-group.eu colissimo.fr laposte.net postnl.nl bpost.be airbnbmail.com muscache.com
  bstatic.com bookingholdings.com ubereats.com uberinternal.com lyftmail.com expediagroup.com expediamail.com
  tripadvisor.co.uk lufthansa-group.com miles-and-more.com britishairways.com iairgroup.com hiltonhonors.com
  ebaystatic.com ebayimg.com ebayinc.com walmartimages.com targetimg1.com bbystatic.com homedepot.com thdstatic.com
  ikea.net aliexpress.com alicdn.com alipay.com tmall.com taobaocdn.com tencent.com weixin.com wechat.com
  bdstatic.com rakuten.com mercadolibre.com mercadopago.com siemens-energy.com siemens-healthineers.com
  bosch-home.com boschrexroth.com bosch-professional.com bmwgroup.com mercedes-benz-group.com volkswagen-group.com
  volkswagen-newsroom.com toyota-europe.com samsungcloud.com samsungapps.com samsungelectronics.com sonypictures.com
  sonymusic.com playstationnetwork.com playstation.net sonyentertainmentnetwork.com nintendo.net nintendo-europe.com
  steampowered.com steamcommunity.com steamstatic.com steamcontent.com epicgames.dev unrealengine.com ea.com
  origin.com battle.net blizzard.com riotgames.com roblox.com rbxcdn.com vodafonemail.de btplc.com openreach.co.uk
  virginmediao2.co.uk att-mail.com verizonwireless.com xfinity.com comcastbusiness.net nhs.net parliament.uk mod.uk
  bundesregierung.de bund.de admin.ch coinbase.com coinbaseprime.com binance.com binance.org blockchain.com
  metamask.io ledger.com trezor.io opensea.io openai.com chatgpt.com oaistatic.com anthropic.com claude.ai
  huggingface.co
`)

/** Dynamic-DNS names that the public suffix list does not have: whoever wants gets a host below them. */
export const DYNAMIC_DNS_DOMAINS: readonly string[] = words(`
  mooo.com chickenkiller.com us.to uk.to ftp.sh bot.nu undo.it soon.it jumpingcrab.com ignorelist.com crabdance.com
  strangled.net twilightparadox.com privatedns.org ydns.eu ddns.net hopto.org sytes.net zapto.org 3utilities.com
  bounceme.net serveftp.com myftp.org myftp.biz no-ip.org no-ip.biz no-ip.info duckdns.org dynu.net ddnsfree.com
  kozow.com dynv6.net dynu.com freedns.afraid.org changeip.com 25u.com dns.army dns.navy v6.army v6.rocks
  cloudns.asia cloudns.cx dns-cloud.net dnsabr.com gleeze.com
`)

/** Names and addresses of documentation and tests, which lists collect by accident. */
export const DOCUMENTATION_DOMAINS: readonly string[] = words(`
  example.com example.net example.org mydomain.com domain.com localhost.localdomain
`)

/** Public resolvers: everybody's traffic passes there. */
export const RESOLVERS: readonly string[] = words(`
  8.8.8.8 8.8.4.4 2001:4860:4860::8888 2001:4860:4860::8844 1.1.1.1 1.0.0.1 1.1.1.2 1.0.0.2 1.1.1.3 1.0.0.3
  2606:4700:4700::1111 2606:4700:4700::1001 9.9.9.9 149.112.112.112 9.9.9.10 9.9.9.11 2620:fe::fe 2620:fe::9
  208.67.222.222 208.67.220.220 208.67.222.123 208.67.220.123 2620:119:35::35 2620:119:53::53 94.140.14.14 94.140.15.15
  94.140.14.15 94.140.15.16 2a10:50c0::ad1:ff 2a10:50c0::ad2:ff 76.76.2.0 76.76.10.0 185.228.168.9 185.228.169.9
  64.6.64.6 64.6.65.6 4.2.2.1 4.2.2.2 4.2.2.3 4.2.2.4 4.2.2.5 4.2.2.6 77.88.8.8 77.88.8.1 114.114.114.114
  114.114.115.115 223.5.5.5 223.6.6.6 119.29.29.29 180.76.76.76 84.200.69.80 84.200.70.40 8.26.56.26 8.20.247.20
  195.46.39.39 195.46.39.40 91.239.100.100 89.233.43.71 74.82.42.42 2001:470:20::2
`)

/** Where the mail of large providers leaves, as they publish it. */
export const MAIL_ADDRESSES: readonly string[] = words(`
  64.233.160.0/19 66.102.0.0/20 66.249.80.0/20 72.14.192.0/18 74.125.0.0/16 108.177.8.0/21 108.177.96.0/19
  172.217.0.0/19 172.217.32.0/20 172.217.128.0/19 172.217.160.0/20 172.217.192.0/19 172.253.56.0/21 172.253.112.0/20
  173.194.0.0/16 209.85.128.0/17 216.58.192.0/19 216.239.32.0/19 2607:f8b0:4000::/36 2a00:1450:4000::/36
  40.92.0.0/15 40.107.0.0/16 52.100.0.0/15 52.102.0.0/16 52.103.0.0/17 104.47.0.0/17 185.70.40.0/22
  103.168.172.0/24
`)

/**
 * Networks that large providers use themselves and rent to nobody: front ends, sign-in, mailboxes, and the machines
 * that read the web for a search engine, some of which stand in the middle of a rented cloud.
 */
export const OWN_ADDRESSES: readonly string[] = words(`
  142.250.0.0/15 172.217.0.0/16 172.253.0.0/16 216.58.192.0/19 13.107.6.0/24 13.107.64.0/18 13.107.128.0/22
  13.107.136.0/22 20.190.128.0/18 40.126.0.0/18 52.96.0.0/14 52.112.0.0/14 132.245.0.0/16 150.171.32.0/22
  204.79.197.0/24 13.66.139.0/24 13.66.144.0/24 13.67.10.16/28 13.69.66.240/28 13.71.172.224/28 20.15.133.160/27
  20.36.108.32/28 20.43.120.16/28 20.74.197.0/28 20.79.107.240/28 20.125.163.80/28 40.77.139.0/25 40.77.167.0/24
  40.77.177.0/24 40.77.178.0/23 40.77.188.0/22 40.77.202.0/24 40.79.131.208/28 40.79.186.176/28 51.105.67.0/28
  52.167.144.0/24 52.231.148.0/28 65.55.210.0/24 139.217.52.0/28 157.55.39.0/24 191.233.204.224/28 199.30.24.0/23
  207.46.13.0/24
  17.0.0.0/8 66.249.64.0/20 140.82.112.0/20 192.30.252.0/22 208.80.152.0/22
  185.15.56.0/22 198.35.26.0/23 31.13.64.0/18 157.240.0.0/16 179.60.192.0/22 185.60.216.0/22 2a03:2880::/32
  2620:0:860::/46
`)

/** Content delivery networks, as they publish them: behind each address stand many sites. */
export const CDN_ADDRESSES: readonly string[] = words(`
  173.245.48.0/20 103.21.244.0/22 103.22.200.0/22 103.31.4.0/22 141.101.64.0/18 108.162.192.0/18 190.93.240.0/20
  188.114.96.0/20 197.234.240.0/22 198.41.128.0/17 162.158.0.0/15 104.16.0.0/13 104.24.0.0/14 172.64.0.0/13
  131.0.72.0/22 2400:cb00::/32 2606:4700::/32 2803:f800::/32 2405:b500::/32 2405:8100::/32 2a06:98c0::/29
  2c0f:f248::/32 23.235.32.0/20 43.249.72.0/22 103.245.222.0/23 103.245.224.0/24 104.156.80.0/20
  140.248.128.0/17 146.75.0.0/17 151.101.0.0/16 157.52.64.0/18 167.82.0.0/17 172.111.64.0/18
  185.31.16.0/22 185.199.108.0/22 199.232.0.0/16 2a04:4e42::/32
`)

/** Networks whose owners run exits of the Tor network and little else. */
export const TOR_ADDRESSES: readonly string[] = words(`
  185.220.100.0/22 23.129.64.0/24 192.42.116.0/24 171.25.193.0/24
`)

/** AS numbers of companies that rent servers to anyone. */
export const HOSTING_NETWORKS: readonly string[] = words(`
  16509 14618 8987 396982 14061 16276 24940 213230 63949 20473 12876 51167 40021 197540 8560 36352 53667 46606 26496
  22612 47583 60781 28753 30633 395954 9009 62240 212238 60068 135377 45102 37963 132203 45090 136907 55990 31898 36351
  19318 25820 8100 29802 49505 9123 197695 35916 55286 32097 20860 21859 64267 50673 49981 202425 204601
`)

/**
 * Hosts on which strangers publish under a path. A URL there condemns neither the host nor the platform: the row is
 * left out, because an indicator is a host and the path is what was bad. A leading dot means every name below.
 */
export const SHARED_HOSTS: readonly string[] = words(`
  docs.google.com drive.google.com sites.google.com forms.gle forms.google.com script.google.com www.google.com
  google.com storage.googleapis.com storage.cloud.google.com firebasestorage.googleapis.com translate.goog
  groups.google.com photos.google.com maps.google.com goo.gl g.co youtube.com youtu.be github.com gist.github.com
  raw.githubusercontent.com gist.githubusercontent.com objects.githubusercontent.com gitlab.com bitbucket.org
  sourceforge.net codeberg.org dropbox.com www.dropbox.com dl.dropboxusercontent.com box.com app.box.com onedrive.live.com
  1drv.ms .sharepoint.com forms.office.com forms.microsoft.com sway.office.com sway.cloud.microsoft aka.ms mediafire.com
  www.mediafire.com mega.nz mega.io wetransfer.com we.tl transfer.sh file.io gofile.io anonfiles.com pixeldrain.com
  catbox.moe files.catbox.moe pastebin.com paste.ee hastebin.com rentry.co rentry.org telegra.ph t.me telegram.me
  discord.com discord.gg cdn.discordapp.com media.discordapp.net facebook.com www.facebook.com m.facebook.com fb.me
  instagram.com www.instagram.com linkedin.com www.linkedin.com lnkd.in twitter.com x.com t.co reddit.com
  www.reddit.com medium.com tumblr.com vk.com ok.ru pinterest.com tiktok.com www.tiktok.com steamcommunity.com
  store.steampowered.com s3.amazonaws.com bit.ly bitly.com j.mp tinyurl.com rebrand.ly ow.ly is.gd v.gd cutt.ly
  rb.gy shorturl.at tiny.cc t.ly bl.ink buff.ly qrco.de qr.ae s.id urlz.fr u.to clck.ru adf.ly linktr.ee
  beacons.ai bio.link solo.to campsite.bio canva.com www.canva.com notion.so www.notion.so figma.com www.figma.com
  trello.com airtable.com typeform.com jotform.com form.jotform.com jotform.me surveymonkey.com docusign.net
  adobe.com indd.adobe.com express.adobe.com new.express.adobe.com acrobat.adobe.com issuu.com scribd.com
  slideshare.net archive.org web.archive.org ipfs.io gateway.ipfs.io cloudflare-ipfs.com dweb.link w3s.link
  gateway.pinata.cloud arweave.net pub.dev npmjs.com unpkg.com cdn.jsdelivr.net codepen.io cdpn.io codesandbox.io
  jsfiddle.net replit.com glitch.com wordpress.com wix.com www.wix.com click.mailchimp.com mailchi.mp
`)

function words(text: string): string[] {
  return [...new Set(text.split(/\s+/).filter((word) => word !== ''))]
}
