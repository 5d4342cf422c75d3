import { r as MINUTE_MS } from "./clock-Cypo2bh8.js";
import { a as carriedIpv4, d as parseIp, p as specialAddress, s as formatIp } from "./domain-kPPiJw5e.js";
import { t as VERSION } from "./version-CeV_Boaa.js";
import { t as readJsonText } from "./json-text-DEWPD8mT.js";
import { lookup } from "node:dns/promises";

// src/live/public-address.ts
/**
* Which addresses may be contacted. Names of strangers lead to addresses that strangers chose, so a name must not lead
* to this machine or into the operator's network, also not inside an IPv6 address that carries an IPv4 one.
*/
/** Why the address must not be contacted, in words; undefined for an address on the public internet. */
function whyNotPublic(ip) {
	const inside = carriedIpv4(ip);
	return specialAddress(ip) ?? (inside && specialAddress(inside.ip));
}
/** False also for text that is no address. */
function isPublicAddress(text) {
	const ip = parseIp(text);
	return ip !== void 0 && whyNotPublic(ip) === void 0;
}

// src/live/rdap/bootstrap.json
var bootstrap_default = {
	publication: "2026-09-30T23:00:03Z",
	servers: {
		"https://ccrdap.twnic.tw/taiwan/": "xn--kpry57d",
		"https://ccrdap.twnic.tw/tw/": "tw",
		"https://keetmans.omadhina.co.na/": "na",
		"https://nic.samsung/rdap/": "samsung xn--cg4bki",
		"https://pubapi.registry.google/rdap/": "ads android app boo cal channel chrome dad day dclk dev docs drive eat esq fly foo gbiz gle gmail goog google guge hangout here how ing map meet meme mov new nexus page phd play prod prof rsvp search soy xn--flw351e xn--q9jyb4c xn--qcka1pmc youtube zip",
		"https://rdap-merck.dns.business/rdap/": "merck",
		"https://rdap.aliregistry.cn/rdap/": "alibaba",
		"https://rdap.bhregistry.bh/rdap/": "bh xn--mgbcpq6gpa1a",
		"https://rdap.blog.fury.ca/rdap/": "blog",
		"https://rdap.ca.fury.ca/rdap/": "ca",
		"https://rdap.cctld.au/rdap/": "au",
		"https://rdap.cctld.uz/": "uz",
		"https://rdap.centralnic.com/allfinanz/": "allfinanz",
		"https://rdap.centralnic.com/art/": "art",
		"https://rdap.centralnic.com/audio/": "audio",
		"https://rdap.centralnic.com/auto/": "auto",
		"https://rdap.centralnic.com/autos/": "autos",
		"https://rdap.centralnic.com/baby/": "baby",
		"https://rdap.centralnic.com/beauty/": "beauty",
		"https://rdap.centralnic.com/best/": "best",
		"https://rdap.centralnic.com/bmw/": "bmw",
		"https://rdap.centralnic.com/boats/": "boats",
		"https://rdap.centralnic.com/bond/": "bond",
		"https://rdap.centralnic.com/box/": "box",
		"https://rdap.centralnic.com/build/": "build",
		"https://rdap.centralnic.com/cam/": "cam",
		"https://rdap.centralnic.com/car/": "car",
		"https://rdap.centralnic.com/cars/": "cars",
		"https://rdap.centralnic.com/case/": "case",
		"https://rdap.centralnic.com/ceo/": "ceo",
		"https://rdap.centralnic.com/cfd/": "cfd",
		"https://rdap.centralnic.com/christmas/": "christmas",
		"https://rdap.centralnic.com/college/": "college",
		"https://rdap.centralnic.com/cyou/": "cyou",
		"https://rdap.centralnic.com/dealer/": "dealer",
		"https://rdap.centralnic.com/deloitte/": "deloitte",
		"https://rdap.centralnic.com/dhl/": "dhl",
		"https://rdap.centralnic.com/diet/": "diet",
		"https://rdap.centralnic.com/dvag/": "dvag",
		"https://rdap.centralnic.com/fans/": "fans",
		"https://rdap.centralnic.com/flowers/": "flowers",
		"https://rdap.centralnic.com/fm/": "fm",
		"https://rdap.centralnic.com/fo/": "fo",
		"https://rdap.centralnic.com/fresenius/": "fresenius",
		"https://rdap.centralnic.com/frl/": "frl",
		"https://rdap.centralnic.com/game/": "game",
		"https://rdap.centralnic.com/gd/": "gd",
		"https://rdap.centralnic.com/gent/": "gent",
		"https://rdap.centralnic.com/guitars/": "guitars",
		"https://rdap.centralnic.com/hair/": "hair",
		"https://rdap.centralnic.com/help/": "help",
		"https://rdap.centralnic.com/homes/": "homes",
		"https://rdap.centralnic.com/hosting/": "hosting",
		"https://rdap.centralnic.com/icu/": "icu",
		"https://rdap.centralnic.com/inc/": "inc",
		"https://rdap.centralnic.com/kpn/": "kpn",
		"https://rdap.centralnic.com/kred/": "kred",
		"https://rdap.centralnic.com/lat/": "lat",
		"https://rdap.centralnic.com/lidl/": "lidl",
		"https://rdap.centralnic.com/llp/": "llp",
		"https://rdap.centralnic.com/lol/": "lol",
		"https://rdap.centralnic.com/london/": "london",
		"https://rdap.centralnic.com/lpl/": "lpl",
		"https://rdap.centralnic.com/lplfinancial/": "lplfinancial",
		"https://rdap.centralnic.com/luxury/": "luxury",
		"https://rdap.centralnic.com/makeup/": "makeup",
		"https://rdap.centralnic.com/mini/": "mini",
		"https://rdap.centralnic.com/mom/": "mom",
		"https://rdap.centralnic.com/monster/": "monster",
		"https://rdap.centralnic.com/motorcycles/": "motorcycles",
		"https://rdap.centralnic.com/nokia/": "nokia",
		"https://rdap.centralnic.com/ooo/": "ooo",
		"https://rdap.centralnic.com/pics/": "pics",
		"https://rdap.centralnic.com/pohl/": "pohl",
		"https://rdap.centralnic.com/protection/": "protection",
		"https://rdap.centralnic.com/qpon/": "qpon",
		"https://rdap.centralnic.com/quest/": "quest",
		"https://rdap.centralnic.com/radio/": "radio",
		"https://rdap.centralnic.com/reit/": "reit",
		"https://rdap.centralnic.com/rent/": "rent",
		"https://rdap.centralnic.com/ruhr/": "ruhr",
		"https://rdap.centralnic.com/saarland/": "saarland",
		"https://rdap.centralnic.com/sbs/": "sbs",
		"https://rdap.centralnic.com/schwarz/": "schwarz",
		"https://rdap.centralnic.com/security/": "security",
		"https://rdap.centralnic.com/sfr/": "sfr",
		"https://rdap.centralnic.com/skin/": "skin",
		"https://rdap.centralnic.com/smart/": "smart",
		"https://rdap.centralnic.com/stc/": "stc",
		"https://rdap.centralnic.com/stcgroup/": "stcgroup",
		"https://rdap.centralnic.com/storage/": "storage",
		"https://rdap.centralnic.com/theatre/": "theatre",
		"https://rdap.centralnic.com/tickets/": "tickets",
		"https://rdap.centralnic.com/tui/": "tui",
		"https://rdap.centralnic.com/vg/": "vg",
		"https://rdap.centralnic.com/viva/": "viva",
		"https://rdap.centralnic.com/wme/": "wme",
		"https://rdap.centralnic.com/xn--4gbrim/": "xn--4gbrim",
		"https://rdap.centralnic.com/xn--vermgensberater-ctb/": "xn--vermgensberater-ctb",
		"https://rdap.centralnic.com/xn--vermgensberatung-pwb/": "xn--vermgensberatung-pwb",
		"https://rdap.centralnic.com/xyz/": "xyz",
		"https://rdap.centralnic.com/yachts/": "yachts",
		"https://rdap.centralnic.com/zuerich/": "zuerich",
		"https://rdap.centralnicregistry.com/jnj/": "jnj",
		"https://rdap.crown.fury.ca/rdap/": "crown",
		"https://rdap.dns.pl/": "pl",
		"https://rdap.eco.fury.ca/rdap/": "eco",
		"https://rdap.fi/rdap/rdap/": "fi",
		"https://rdap.flexireg.net/": "moscow xn--80adxhks",
		"https://rdap.gmoregistry.net/rdap/": "bridgestone brother canon datsun dnp epson firestone fujitsu ggee gmo goldpoint hisamitsu hitachi honda hyundai infiniti jcb kddi kia komatsu kyoto lexus lotte mitsubishi nagoya nec nhk nico nissan okinawa otsuka panasonic playstation ricoh ryukyu sharp shop softbank sony suzuki tokyo toray toshiba toyota yodobashi yokohama",
		"https://rdap.gtlds.nic.br/": "bom final globo rio uol",
		"https://rdap.hostmaster.ua/": "ua",
		"https://rdap.iana.org/": "int",
		"https://rdap.identitydigital.services/rdap/": "abb abbott abc academy accenture accountants actor aeg aero agakhan agency ai airbus airforce akdn alipay allstate aol apartments archi army arte asda asia associates attorney auction audi band barclaycard barclays barefoot bargains bbt bcg beats bestbuy bet bike bingo bio black bloomberg blue bm bms bnpparibas boehringer bofa bosch boutique bradesco broker builders business cab cafe camera camp capital cards care careers cash casino catering center cern cfa chanel chat cheap church cipriani circle citadel city claims cleaning clinic clinique clothing clubmed coach codes coffee community company computer condos construction consulting contact contractors cool coupon coupons credit creditcard crs cruise cruises dance dating deals degree delivery delta democrat dental dentist diamonds digital direct directory discount discover doctor dog domains edeka education email emerck energy engineer engineering enterprises equipment ericsson estate events exchange expert exposed express extraspace fage fail family fan farm fedex ferrari fidelity fido finance financial fish fitness flights florist football forex forsale frogans fund furniture futbol fyi gallery gallo gallup games genting gifts glass global gmbh gold golf goodyear got graphics gratis green gripe group guide guru haus hdfc hdfcbank healthcare helsinki hermes hkt hockey holdings holiday homedepot hospital house hughes ice imamat immo immobilien industries info institute insure international investments irish ismaili ist istanbul itv jaguar java jeep jetzt jewelry jio jll jot juegos kaufen kerryhotels kerryproperties kids kim kitchen kosher kuokgroup lamborghini lamer land landrover lasalle lawyer lds lease lefrak legal lego lgbt life lighting limited limo live llc loans lotto ltd ltda lundbeck maif maison management market marketing markets marriott mba mckinsey media memorial mit mobi moda money mormon mortgage movie mu nab navy network news next nextdirect nikon ninja nissay nowtv nra obi onl oracle orange organic origins partners parts pccw pet photography photos pictet pictures pink pizza place plumbing plus pnc poker post pro productions progressive promo properties pub pwc recipes red redumbrella rehab reise reisen reliance rentals repair report republican restaurant reviews rexroth rich richardli ril rip rocks rogers run rwe safety sale salon sanofi sarl saxo sbi scholarships school schule sener services sew shangrila shiksha shoes shopping show singles ski soccer social software solar solutions song spa srl stada star statebank stockholm studio style supplies supply support surgery systems taobao tatamotors tax taxi team technology temasek tennis thd theater tiaa tienda tips tires tmall today tools tours town toys trading training travel travelers travelersinsurance trv tvs ubank ubs university ups vacations vanguard vegas ventures vet viajes video vig viking villas vin visa vision volvo vote voto voyage watch watches weber weir wine works world wtf xin xn--1ck2e1b xn--5su34j936bgsg xn--5tzm5g xn--6frz82g xn--b4w605ferd xn--bck1b9a5dre4c xn--cck2b3b xn--czrs0t xn--eckvdtc9d xn--fct429k xn--fjq720a xn--fzys8d69uvgm xn--gckr3f0f xn--gk3at1e xn--jvr189m xn--rovu88b xn--unup4y xn--vhquv xn--w4r85el8fhu5dnra xn--w4rs40l yahoo zara zero zone",
		"https://rdap.isnic.is/rdap/": "is",
		"https://rdap.kenic.or.ke/": "ke",
		"https://rdap.kiwi.fury.ca/rdap/": "kiwi",
		"https://rdap.lbdr.org.lb/": "lb",
		"https://rdap.mls.fury.ca/rdap/": "mls",
		"https://rdap.mobile-registry.com/rdap/": "blockbuster data dish dot dtv dvr latino mobile ollo ott phone sling",
		"https://rdap.ngtld.cn/": "sina weibo xn--55qw42g xn--55qx5d xn--9krt00a xn--io0a7i xn--zfr164b",
		"https://rdap.nic.aaa/": "aaa",
		"https://rdap.nic.aarp/": "aarp",
		"https://rdap.nic.able/": "able",
		"https://rdap.nic.abogado/": "abogado",
		"https://rdap.nic.abudhabi/": "abudhabi",
		"https://rdap.nic.accountant/": "accountant",
		"https://rdap.nic.aco/": "aco",
		"https://rdap.nic.ad/": "ad",
		"https://rdap.nic.adult/": "adult",
		"https://rdap.nic.aetna/": "aetna",
		"https://rdap.nic.afl/": "afl",
		"https://rdap.nic.aig/": "aig",
		"https://rdap.nic.airtel/": "airtel",
		"https://rdap.nic.ally/": "ally",
		"https://rdap.nic.alsace/": "alsace",
		"https://rdap.nic.alstom/": "alstom",
		"https://rdap.nic.americanexpress/": "americanexpress",
		"https://rdap.nic.americanfamily/": "americanfamily",
		"https://rdap.nic.amex/": "amex",
		"https://rdap.nic.amfam/": "amfam",
		"https://rdap.nic.amica/": "amica",
		"https://rdap.nic.amsterdam/": "amsterdam",
		"https://rdap.nic.analytics/": "analytics",
		"https://rdap.nic.anz/": "anz",
		"https://rdap.nic.apple/": "apple",
		"https://rdap.nic.aquarelle/": "aquarelle",
		"https://rdap.nic.ar/": "ar",
		"https://rdap.nic.arab/": "arab",
		"https://rdap.nic.aramco/": "aramco",
		"https://rdap.nic.as/": "as",
		"https://rdap.nic.athleta/": "athleta",
		"https://rdap.nic.auspost/": "auspost",
		"https://rdap.nic.axa/": "axa",
		"https://rdap.nic.banamex/": "banamex",
		"https://rdap.nic.bank/": "bank",
		"https://rdap.nic.barcelona/": "barcelona",
		"https://rdap.nic.baseball/": "baseball",
		"https://rdap.nic.basketball/": "basketball",
		"https://rdap.nic.bauhaus/": "bauhaus",
		"https://rdap.nic.bayern/": "bayern",
		"https://rdap.nic.bcn/": "bcn",
		"https://rdap.nic.beer/": "beer",
		"https://rdap.nic.bharti/": "bharti",
		"https://rdap.nic.bible/": "bible",
		"https://rdap.nic.bid/": "bid",
		"https://rdap.nic.biz/": "biz",
		"https://rdap.nic.blackfriday/": "blackfriday",
		"https://rdap.nic.booking/": "booking",
		"https://rdap.nic.bostik/": "bostik",
		"https://rdap.nic.boston/": "boston",
		"https://rdap.nic.brussels/": "brussels",
		"https://rdap.nic.buzz/": "buzz",
		"https://rdap.nic.bzh/": "bzh",
		"https://rdap.nic.calvinklein/": "calvinklein",
		"https://rdap.nic.capitalone/": "capitalone",
		"https://rdap.nic.caravan/": "caravan",
		"https://rdap.nic.casa/": "casa",
		"https://rdap.nic.cat/": "cat",
		"https://rdap.nic.catholic/": "catholic",
		"https://rdap.nic.cba/": "cba",
		"https://rdap.nic.cbn/": "cbn",
		"https://rdap.nic.cbre/": "cbre",
		"https://rdap.nic.chase/": "chase",
		"https://rdap.nic.chintai/": "chintai",
		"https://rdap.nic.cisco/": "cisco",
		"https://rdap.nic.citi/": "citi",
		"https://rdap.nic.club/": "club",
		"https://rdap.nic.cm/": "cm",
		"https://rdap.nic.commbank/": "commbank",
		"https://rdap.nic.compare/": "compare",
		"https://rdap.nic.cooking/": "cooking",
		"https://rdap.nic.corsica/": "corsica",
		"https://rdap.nic.courses/": "courses",
		"https://rdap.nic.cpa/": "cpa",
		"https://rdap.nic.cr/": "cr",
		"https://rdap.nic.cricket/": "cricket",
		"https://rdap.nic.cuisinella/": "cuisinella",
		"https://rdap.nic.cv/": "cv",
		"https://rdap.nic.cx/": "cx",
		"https://rdap.nic.cz/": "cz",
		"https://rdap.nic.date/": "date",
		"https://rdap.nic.dds/": "dds",
		"https://rdap.nic.dell/": "dell",
		"https://rdap.nic.design/": "design",
		"https://rdap.nic.download/": "download",
		"https://rdap.nic.dubai/": "dubai",
		"https://rdap.nic.dupont/": "dupont",
		"https://rdap.nic.earth/": "earth",
		"https://rdap.nic.erni/": "erni",
		"https://rdap.nic.eurovision/": "eurovision",
		"https://rdap.nic.eus/": "eus",
		"https://rdap.nic.faith/": "faith",
		"https://rdap.nic.farmers/": "farmers",
		"https://rdap.nic.fashion/": "fashion",
		"https://rdap.nic.ferrero/": "ferrero",
		"https://rdap.nic.film/": "film",
		"https://rdap.nic.firmdale/": "firmdale",
		"https://rdap.nic.fishing/": "fishing",
		"https://rdap.nic.fit/": "fit",
		"https://rdap.nic.flickr/": "flickr",
		"https://rdap.nic.flir/": "flir",
		"https://rdap.nic.ford/": "ford",
		"https://rdap.nic.fox/": "fox",
		"https://rdap.nic.fr/": "fr",
		"https://rdap.nic.frontier/": "frontier",
		"https://rdap.nic.ftr/": "ftr",
		"https://rdap.nic.gal/": "gal",
		"https://rdap.nic.gap/": "gap",
		"https://rdap.nic.garden/": "garden",
		"https://rdap.nic.gay/": "gay",
		"https://rdap.nic.gdn/": "gdn",
		"https://rdap.nic.gea/": "gea",
		"https://rdap.nic.george/": "george",
		"https://rdap.nic.gmx/": "gmx",
		"https://rdap.nic.godaddy/": "godaddy",
		"https://rdap.nic.grainger/": "grainger",
		"https://rdap.nic.grocery/": "grocery",
		"https://rdap.nic.gs/": "gs",
		"https://rdap.nic.hbo/": "hbo",
		"https://rdap.nic.health/": "health",
		"https://rdap.nic.hn/": "hn",
		"https://rdap.nic.homegoods/": "homegoods",
		"https://rdap.nic.homesense/": "homesense",
		"https://rdap.nic.horse/": "horse",
		"https://rdap.nic.hotels/": "hotels",
		"https://rdap.nic.hsbc/": "hsbc",
		"https://rdap.nic.ht/": "ht",
		"https://rdap.nic.hyatt/": "hyatt",
		"https://rdap.nic.ibm/": "ibm",
		"https://rdap.nic.ifm/": "ifm",
		"https://rdap.nic.ink/": "ink",
		"https://rdap.nic.insurance/": "insurance",
		"https://rdap.nic.intuit/": "intuit",
		"https://rdap.nic.ipiranga/": "ipiranga",
		"https://rdap.nic.itau/": "itau",
		"https://rdap.nic.jmp/": "jmp",
		"https://rdap.nic.jpmorgan/": "jpmorgan",
		"https://rdap.nic.kpmg/": "kpmg",
		"https://rdap.nic.krd/": "krd",
		"https://rdap.nic.lacaixa/": "lacaixa",
		"https://rdap.nic.lanxess/": "lanxess",
		"https://rdap.nic.latrobe/": "latrobe",
		"https://rdap.nic.law/": "law",
		"https://rdap.nic.leclerc/": "leclerc",
		"https://rdap.nic.lifeinsurance/": "lifeinsurance",
		"https://rdap.nic.lilly/": "lilly",
		"https://rdap.nic.lincoln/": "lincoln",
		"https://rdap.nic.loan/": "loan",
		"https://rdap.nic.luxe/": "luxe",
		"https://rdap.nic.ly/": "ly",
		"https://rdap.nic.madrid/": "madrid",
		"https://rdap.nic.man/": "man",
		"https://rdap.nic.mango/": "mango",
		"https://rdap.nic.marshalls/": "marshalls",
		"https://rdap.nic.mattel/": "mattel",
		"https://rdap.nic.melbourne/": "melbourne",
		"https://rdap.nic.men/": "men",
		"https://rdap.nic.menu/": "menu",
		"https://rdap.nic.merckmsd/": "merckmsd",
		"https://rdap.nic.miami/": "miami",
		"https://rdap.nic.mint/": "mint",
		"https://rdap.nic.ml/": "ml",
		"https://rdap.nic.mlb/": "mlb",
		"https://rdap.nic.mma/": "mma",
		"https://rdap.nic.moe/": "moe",
		"https://rdap.nic.monash/": "monash",
		"https://rdap.nic.moto/": "moto",
		"https://rdap.nic.ms/": "ms",
		"https://rdap.nic.msd/": "msd",
		"https://rdap.nic.museum/": "museum",
		"https://rdap.nic.nba/": "nba",
		"https://rdap.nic.netbank/": "netbank",
		"https://rdap.nic.netflix/": "netflix",
		"https://rdap.nic.neustar/": "neustar",
		"https://rdap.nic.nf/": "nf",
		"https://rdap.nic.nfl/": "nfl",
		"https://rdap.nic.nike/": "nike",
		"https://rdap.nic.norton/": "norton",
		"https://rdap.nic.nrw/": "nrw",
		"https://rdap.nic.nyc/": "nyc",
		"https://rdap.nic.olayan/": "olayan",
		"https://rdap.nic.olayangroup/": "olayangroup",
		"https://rdap.nic.one/": "one",
		"https://rdap.nic.open/": "open",
		"https://rdap.nic.osaka/": "osaka",
		"https://rdap.nic.ovh/": "ovh",
		"https://rdap.nic.paris/": "paris",
		"https://rdap.nic.party/": "party",
		"https://rdap.nic.pfizer/": "pfizer",
		"https://rdap.nic.pg/": "pg",
		"https://rdap.nic.philips/": "philips",
		"https://rdap.nic.photo/": "photo",
		"https://rdap.nic.physio/": "physio",
		"https://rdap.nic.ping/": "ping",
		"https://rdap.nic.pm/": "pm",
		"https://rdap.nic.politie/": "politie",
		"https://rdap.nic.porn/": "porn",
		"https://rdap.nic.praxi/": "praxi",
		"https://rdap.nic.pru/": "pru",
		"https://rdap.nic.prudential/": "prudential",
		"https://rdap.nic.quebec/": "quebec",
		"https://rdap.nic.racing/": "racing",
		"https://rdap.nic.re/": "re",
		"https://rdap.nic.review/": "review",
		"https://rdap.nic.rodeo/": "rodeo",
		"https://rdap.nic.rugby/": "rugby",
		"https://rdap.nic.samsclub/": "samsclub",
		"https://rdap.nic.sandvik/": "sandvik",
		"https://rdap.nic.sandvikcoromant/": "sandvikcoromant",
		"https://rdap.nic.sap/": "sap",
		"https://rdap.nic.sas/": "sas",
		"https://rdap.nic.scb/": "scb",
		"https://rdap.nic.schaeffler/": "schaeffler",
		"https://rdap.nic.schmidt/": "schmidt",
		"https://rdap.nic.science/": "science",
		"https://rdap.nic.scot/": "scot",
		"https://rdap.nic.sd/": "sd",
		"https://rdap.nic.seat/": "seat",
		"https://rdap.nic.seek/": "seek",
		"https://rdap.nic.select/": "select",
		"https://rdap.nic.seven/": "seven",
		"https://rdap.nic.sex/": "sex",
		"https://rdap.nic.sncf/": "sncf",
		"https://rdap.nic.sport/": "sport",
		"https://rdap.nic.ss/": "ss",
		"https://rdap.nic.staples/": "staples",
		"https://rdap.nic.statefarm/": "statefarm",
		"https://rdap.nic.stream/": "stream",
		"https://rdap.nic.study/": "study",
		"https://rdap.nic.sucks/": "sucks",
		"https://rdap.nic.surf/": "surf",
		"https://rdap.nic.swiss/": "swiss",
		"https://rdap.nic.sydney/": "sydney",
		"https://rdap.nic.tab/": "tab",
		"https://rdap.nic.taipei/": "taipei",
		"https://rdap.nic.target/": "target",
		"https://rdap.nic.tattoo/": "tattoo",
		"https://rdap.nic.tdk/": "tdk",
		"https://rdap.nic.tel/": "tel",
		"https://rdap.nic.teva/": "teva",
		"https://rdap.nic.tf/": "tf",
		"https://rdap.nic.tjmaxx/": "tjmaxx",
		"https://rdap.nic.tjx/": "tjx",
		"https://rdap.nic.tkmaxx/": "tkmaxx",
		"https://rdap.nic.total/": "total",
		"https://rdap.nic.trade/": "trade",
		"https://rdap.nic.tube/": "tube",
		"https://rdap.nic.tv/": "tv",
		"https://rdap.nic.vi/": "vi",
		"https://rdap.nic.vip/": "vip",
		"https://rdap.nic.vivo/": "vivo",
		"https://rdap.nic.vlaanderen/": "vlaanderen",
		"https://rdap.nic.vodka/": "vodka",
		"https://rdap.nic.voting/": "voting",
		"https://rdap.nic.walmart/": "walmart",
		"https://rdap.nic.walter/": "walter",
		"https://rdap.nic.weather/": "weather",
		"https://rdap.nic.weatherchannel/": "weatherchannel",
		"https://rdap.nic.webcam/": "webcam",
		"https://rdap.nic.wedding/": "wedding",
		"https://rdap.nic.wf/": "wf",
		"https://rdap.nic.whoswho/": "whoswho",
		"https://rdap.nic.wiki/": "wiki",
		"https://rdap.nic.williamhill/": "williamhill",
		"https://rdap.nic.win/": "win",
		"https://rdap.nic.winners/": "winners",
		"https://rdap.nic.woodside/": "woodside",
		"https://rdap.nic.work/": "work",
		"https://rdap.nic.wtc/": "wtc",
		"https://rdap.nic.xerox/": "xerox",
		"https://rdap.nic.xn--80aqecdr1a/": "xn--80aqecdr1a",
		"https://rdap.nic.xn--80asehdb/": "xn--80asehdb",
		"https://rdap.nic.xn--80aswg/": "xn--80aswg",
		"https://rdap.nic.xn--g2xx48c/": "xn--g2xx48c",
		"https://rdap.nic.xn--kcrx77d1x4a/": "xn--kcrx77d1x4a",
		"https://rdap.nic.xn--mgba3a3ejt/": "xn--mgba3a3ejt",
		"https://rdap.nic.xn--mgba7c0bbn0a/": "xn--mgba7c0bbn0a",
		"https://rdap.nic.xn--mgbab2bd/": "xn--mgbab2bd",
		"https://rdap.nic.xn--mgbca7dzdo/": "xn--mgbca7dzdo",
		"https://rdap.nic.xn--mgbi4ecexp/": "xn--mgbi4ecexp",
		"https://rdap.nic.xn--ngbc5azd/": "xn--ngbc5azd",
		"https://rdap.nic.xn--ngbrx/": "xn--ngbrx",
		"https://rdap.nic.xn--p1acf/": "xn--p1acf",
		"https://rdap.nic.xn--tiq49xqyj/": "xn--tiq49xqyj",
		"https://rdap.nic.xxx/": "xxx",
		"https://rdap.nic.yoga/": "yoga",
		"https://rdap.nic.yt/": "yt",
		"https://rdap.nic.zm/": "zm",
		"https://rdap.nic.africa/rdap/": "africa",
		"https://rdap.nic.capetown/rdap/": "capetown",
		"https://rdap.nic.durban/rdap/": "durban",
		"https://rdap.nic.gov/rdap/": "gov",
		"https://rdap.nic.joburg/rdap/": "joburg",
		"https://rdap.nic.jprs/rdap/": "jprs",
		"https://rdap.nic.locker/rdap/": "locker",
		"https://rdap.nic.ntt/rdap/": "ntt",
		"https://rdap.nic.sakura/rdap/": "sakura",
		"https://rdap.nic.yandex/rdap/": "yandex",
		"https://rdap.nic.berlin/v1/": "berlin",
		"https://rdap.nic.hamburg/v1/": "hamburg",
		"https://rdap.nic.ikano/v1/": "ikano",
		"https://rdap.nic.versicherung/v1/": "versicherung",
		"https://rdap.nic.sn/whois43/": "sn",
		"https://rdap.nic.net.ng/": "ng",
		"https://rdap.nic.or.kr/": "kr xn--3e0b707e",
		"https://rdap.nixiregistry.in/rdap/": "in",
		"https://rdap.nominet.uk/abbvie/": "abbvie",
		"https://rdap.nominet.uk/amazon/": "amazon",
		"https://rdap.nominet.uk/audible/": "audible",
		"https://rdap.nominet.uk/author/": "author",
		"https://rdap.nominet.uk/aws/": "aws",
		"https://rdap.nominet.uk/azure/": "azure",
		"https://rdap.nominet.uk/bbc/": "bbc",
		"https://rdap.nominet.uk/bbva/": "bbva",
		"https://rdap.nominet.uk/bing/": "bing",
		"https://rdap.nominet.uk/book/": "book",
		"https://rdap.nominet.uk/bot/": "bot",
		"https://rdap.nominet.uk/broadway/": "broadway",
		"https://rdap.nominet.uk/buy/": "buy",
		"https://rdap.nominet.uk/call/": "call",
		"https://rdap.nominet.uk/career/": "career",
		"https://rdap.nominet.uk/cymru/": "cymru",
		"https://rdap.nominet.uk/deal/": "deal",
		"https://rdap.nominet.uk/desi/": "desi",
		"https://rdap.nominet.uk/fairwinds/": "fairwinds",
		"https://rdap.nominet.uk/fast/": "fast",
		"https://rdap.nominet.uk/fire/": "fire",
		"https://rdap.nominet.uk/free/": "free",
		"https://rdap.nominet.uk/gop/": "gop",
		"https://rdap.nominet.uk/gucci/": "gucci",
		"https://rdap.nominet.uk/hot/": "hot",
		"https://rdap.nominet.uk/hotmail/": "hotmail",
		"https://rdap.nominet.uk/ieee/": "ieee",
		"https://rdap.nominet.uk/imdb/": "imdb",
		"https://rdap.nominet.uk/jobs/": "jobs",
		"https://rdap.nominet.uk/joy/": "joy",
		"https://rdap.nominet.uk/kindle/": "kindle",
		"https://rdap.nominet.uk/like/": "like",
		"https://rdap.nominet.uk/locus/": "locus",
		"https://rdap.nominet.uk/med/": "med",
		"https://rdap.nominet.uk/microsoft/": "microsoft",
		"https://rdap.nominet.uk/moi/": "moi",
		"https://rdap.nominet.uk/mtn/": "mtn",
		"https://rdap.nominet.uk/now/": "now",
		"https://rdap.nominet.uk/nowruz/": "nowruz",
		"https://rdap.nominet.uk/office/": "office",
		"https://rdap.nominet.uk/omega/": "omega",
		"https://rdap.nominet.uk/pars/": "pars",
		"https://rdap.nominet.uk/pay/": "pay",
		"https://rdap.nominet.uk/pharmacy/": "pharmacy",
		"https://rdap.nominet.uk/pin/": "pin",
		"https://rdap.nominet.uk/pioneer/": "pioneer",
		"https://rdap.nominet.uk/pn/": "pn",
		"https://rdap.nominet.uk/prime/": "prime",
		"https://rdap.nominet.uk/read/": "read",
		"https://rdap.nominet.uk/realestate/": "realestate",
		"https://rdap.nominet.uk/realtor/": "realtor",
		"https://rdap.nominet.uk/room/": "room",
		"https://rdap.nominet.uk/safe/": "safe",
		"https://rdap.nominet.uk/save/": "save",
		"https://rdap.nominet.uk/secure/": "secure",
		"https://rdap.nominet.uk/shell/": "shell",
		"https://rdap.nominet.uk/shia/": "shia",
		"https://rdap.nominet.uk/silk/": "silk",
		"https://rdap.nominet.uk/sky/": "sky",
		"https://rdap.nominet.uk/skype/": "skype",
		"https://rdap.nominet.uk/smile/": "smile",
		"https://rdap.nominet.uk/spot/": "spot",
		"https://rdap.nominet.uk/swatch/": "swatch",
		"https://rdap.nominet.uk/talk/": "talk",
		"https://rdap.nominet.uk/tci/": "tci",
		"https://rdap.nominet.uk/tunes/": "tunes",
		"https://rdap.nominet.uk/tushu/": "tushu",
		"https://rdap.nominet.uk/uk/": "uk",
		"https://rdap.nominet.uk/virgin/": "virgin",
		"https://rdap.nominet.uk/wales/": "wales",
		"https://rdap.nominet.uk/wanggou/": "wanggou",
		"https://rdap.nominet.uk/wed/": "wed",
		"https://rdap.nominet.uk/windows/": "windows",
		"https://rdap.nominet.uk/wow/": "wow",
		"https://rdap.nominet.uk/xbox/": "xbox",
		"https://rdap.nominet.uk/xn--cckwcxetd/": "xn--cckwcxetd",
		"https://rdap.nominet.uk/xn--jlq480n2rg/": "xn--jlq480n2rg",
		"https://rdap.nominet.uk/xn--mgbt3dhd/": "xn--mgbt3dhd",
		"https://rdap.nominet.uk/yamaxun/": "yamaxun",
		"https://rdap.nominet.uk/you/": "you",
		"https://rdap.nominet.uk/zappos/": "zappos",
		"https://rdap.norid.no/": "no",
		"https://rdap.pandi.id/rdap/": "id",
		"https://rdap.publicinterestregistry.org/rdap/": "charity foundation gives giving ngo ong org xn--c1avg xn--i1b6b1a6a2e xn--nqv7f xn--nqv7fs00ema",
		"https://rdap.radix.host/rdap/": "fun host online press pw site space store tech uno website",
		"https://rdap.register.si/": "si",
		"https://rdap.registro.br/": "br",
		"https://rdap.registry.bar/rdap/": "bar rest",
		"https://rdap.registry.click/rdap/": "click country diy feedback food forum hiv lifestyle living observer pid property realty sexy trust vana",
		"https://rdap.registry.cloud/rdap/": "cloud",
		"https://rdap.registry.coop/rdap/": "coop creditunion",
		"https://rdap.registry.ec/": "ec",
		"https://rdap.registry.gift/rdap/": "gift",
		"https://rdap.registry.gy/": "gy",
		"https://rdap.registry.hiphop/rdap/": "hiphop",
		"https://rdap.registry.kfh/rdap/": "kfh xn--ngbe9e0a",
		"https://rdap.registry.love/rdap/": "love",
		"https://rdap.registryservices.music/rdap/": "music",
		"https://rdap.ricta.org.rw/": "rw",
		"https://rdap.ryce-rsp.com/rdap/": "cologne koeln tirol wien",
		"https://rdap.sgnic.sg/rdap/": "sg",
		"https://rdap.sidn.nl/": "nl",
		"https://rdap.ta.sgnic.sg/rdap/": "xn--clchc0ea0b2g2a9gcd",
		"https://rdap.teleinfo.cn/": "anquan shouji xihuan xn--vuq861b yun",
		"https://rdap.teleinfo.cn/xn--3ds443g/": "xn--3ds443g",
		"https://rdap.teleinfo.cn/xn--fiq228c5hs/": "xn--fiq228c5hs",
		"https://rdap.teleinfo.cn/xn--kput3i/": "xn--kput3i",
		"https://rdap.teleinfo.cn/xn--nyqy26a/": "xn--nyqy26a",
		"https://rdap.teleinfo.cn/xn--rhqv96g/": "xn--rhqv96g",
		"https://rdap.thains.co.th/": "th xn--o3cw4h",
		"https://rdap.tonicregistry.to/rdap/": "to",
		"https://rdap.twnic.tw/rdap/": "xn--mxtq1m",
		"https://rdap.tznic.or.tz/": "tz",
		"https://rdap.uniregistry.net/rdap/": "link",
		"https://rdap.verisign.com/com/v1/": "com",
		"https://rdap.verisign.com/net/v1/": "net",
		"https://rdap.y.net.ye/": "ye",
		"https://rdap.zdnsgtld.com/XN--45Q11C/": "xn--45q11c",
		"https://rdap.zdnsgtld.com/XN--EFVY88H/": "xn--efvy88h",
		"https://rdap.zdnsgtld.com/baidu/": "baidu",
		"https://rdap.zdnsgtld.com/citic/": "citic",
		"https://rdap.zdnsgtld.com/icbc/": "icbc",
		"https://rdap.zdnsgtld.com/ren/": "ren",
		"https://rdap.zdnsgtld.com/sohu/": "sohu",
		"https://rdap.zdnsgtld.com/top/": "top",
		"https://rdap.zdnsgtld.com/unicom/": "unicom",
		"https://rdap.zdnsgtld.com/wang/": "wang",
		"https://rdap.zdnsgtld.com/xn--30rr7y/": "xn--30rr7y",
		"https://rdap.zdnsgtld.com/xn--3bst00m/": "xn--3bst00m",
		"https://rdap.zdnsgtld.com/xn--6qq986b3xl/": "xn--6qq986b3xl",
		"https://rdap.zdnsgtld.com/xn--8y0a063a/": "xn--8y0a063a",
		"https://rdap.zdnsgtld.com/xn--9et52u/": "xn--9et52u",
		"https://rdap.zdnsgtld.com/xn--czr694b/": "xn--czr694b",
		"https://rdap.zdnsgtld.com/xn--czru2d/": "xn--czru2d",
		"https://rdap.zdnsgtld.com/xn--fiq64b/": "xn--fiq64b",
		"https://rdap.zdnsgtld.com/xn--hxt814e/": "xn--hxt814e",
		"https://rdap.zdnsgtld.com/xn--imr513n/": "xn--imr513n",
		"https://rdap.zdnsgtld.com/xn--otu796d/": "xn--otu796d",
		"https://rdap.zdnsgtld.com/xn--ses554g/": "xn--ses554g",
		"https://rdap.zh.sgnic.sg/rdap/": "xn--yfro4i67o",
		"https://restwhois.ngtld.cn/": "xn--1qqw23a xn--xhq521b",
		"https://tld-rdap.verisign.com/cc/v1/": "cc",
		"https://tld-rdap.verisign.com/comsec/v1/": "comsec",
		"https://tld-rdap.verisign.com/name/v1/": "name",
		"https://tld-rdap.verisign.com/verisign/v1/": "verisign",
		"https://tld-rdap.verisign.com/web/v1/": "web",
		"https://tld-rdap.verisign.com/xn--11b4c3d/v1/": "xn--11b4c3d",
		"https://tld-rdap.verisign.com/xn--3pxu8k/v1/": "xn--3pxu8k",
		"https://tld-rdap.verisign.com/xn--42c2d9a/v1/": "xn--42c2d9a",
		"https://tld-rdap.verisign.com/xn--9dbq2a/v1/": "xn--9dbq2a",
		"https://tld-rdap.verisign.com/xn--c2br7g/v1/": "xn--c2br7g",
		"https://tld-rdap.verisign.com/xn--fhbei/v1/": "xn--fhbei",
		"https://tld-rdap.verisign.com/xn--j1aef/v1/": "xn--j1aef",
		"https://tld-rdap.verisign.com/xn--mk1bu44c/v1/": "xn--mk1bu44c",
		"https://tld-rdap.verisign.com/xn--pssy2u/v1/": "xn--pssy2u",
		"https://tld-rdap.verisign.com/xn--t60b56a/v1/": "xn--t60b56a",
		"https://tld-rdap.verisign.com/xn--tckwe/v1/": "xn--tckwe",
		"https://whois.kyregistry.ky/rdap/": "ky",
		"https://whois.nic.mtr/rdap/": "mtr",
		"https://whois.nic.tatar/rdap/": "tatar",
		"https://whois.nic.xn--d1acj3b/rdap/": "xn--d1acj3b",
		"https://whois.sr/rdap/": "sr",
		"https://www.rdap.fj/": "fj"
	}
};

// src/live/rdap/bootstrap.ts
const IANA_URL = "https://data.iana.org/rdap/dns.json";
const BYTES_MAX = 1048576;
const TIMEOUT_MS = MINUTE_MS / 2;
const SUFFIXES_MIN = 1e3;
const SUFFIXES_MAX = 2e4;
const URL_LENGTH_MAX = 200;
const SUFFIX = /^(?=.{1,100}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
const PUBLICATION = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
var Bootstrap = class {
	publication;
	#bases = /* @__PURE__ */ new Map();
	#hosts = /* @__PURE__ */ new Set();
	constructor({ publication, servers }) {
		this.publication = publication;
		for (const [base, suffixes] of Object.entries(servers)) {
			this.#hosts.add(new URL(base).host);
			for (const suffix of suffixes.split(" ")) this.#bases.set(suffix, base);
		}
	}
	/** Base address of the server that knows `name`: the one of the longest suffix. */
	base(name) {
		for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
			const base = this.#bases.get(name.slice(dot + 1));
			if (base !== void 0) return base;
		}
	}
	/** Whether the host is one of the servers of the list. */
	hasHost(host) {
		return this.#hosts.has(host);
	}
};
function bundledBootstrap() {
	return bootstrap_default;
}
/** Downloads IANA's list. Where it is refused, whoever asked stays with the list they have. */
async function refreshBootstrap(client, url = IANA_URL) {
	const reply = await client.get(new URL(url), {
		timeoutMs: TIMEOUT_MS,
		bytesMax: BYTES_MAX
	});
	if ("failed" in reply) return { problem: reply.failed };
	if (reply.status !== 200) return { problem: `HTTP ${reply.status}` };
	return readIana(readJsonText(reply.body)?.value);
}
/** IANA's form into the compact one. */
function readIana(file) {
	if (!isObject(file) || !Array.isArray(file.services)) return { problem: "not a list of services" };
	const entries = [];
	for (const service of file.services) {
		if (!Array.isArray(service) || service.length !== 2) return { problem: "a service that is not suffixes and addresses" };
		const [suffixes, urls] = service;
		if (!isTexts(suffixes) || !isTexts(urls)) return { problem: "a service that is not suffixes and addresses" };
		const base = urls.find(isBase);
		if (base !== void 0) entries.push([base.endsWith("/") ? base : `${base}/`, suffixes.map((s) => s.toLowerCase())]);
	}
	return checked(file.publication, entries);
}
/** The compact form, read from where it was kept. */
function readCompactText(text) {
	const file = readJsonText(Buffer.from(text))?.value;
	if (!isObject(file) || !isObject(file.servers)) return { problem: "not a list of servers" };
	const entries = [];
	for (const [base, suffixes] of Object.entries(file.servers)) {
		if (typeof suffixes !== "string" || !isBase(base)) return { problem: "a server that is not an address and suffixes" };
		entries.push([base, suffixes.split(" ")]);
	}
	return checked(file.publication, entries);
}
function checked(publication, entries) {
	if (typeof publication !== "string" || !PUBLICATION.test(publication)) return { problem: "no date of publication" };
	const seen = /* @__PURE__ */ new Set();
	const byBase = /* @__PURE__ */ new Map();
	for (const [base, suffixes] of entries) {
		for (const suffix of suffixes) {
			if (!SUFFIX.test(suffix)) return { problem: "a suffix that is not a name" };
			if (seen.has(suffix)) return { problem: `.${suffix} stands twice` };
			seen.add(suffix);
		}
		if (suffixes.length > 0) byBase.set(base, [...byBase.get(base) ?? [], ...suffixes]);
		if (seen.size > SUFFIXES_MAX) return { problem: `more than ${SUFFIXES_MAX} suffixes` };
	}
	if (seen.size < SUFFIXES_MIN || !seen.has("com")) return { problem: `only ${seen.size} suffixes, or .com is missing` };
	return {
		publication,
		servers: Object.fromEntries([...byBase].map(([base, suffixes]) => [base, suffixes.join(" ")]))
	};
}
function isBase(text) {
	if (text.length > URL_LENGTH_MAX || !text.startsWith("https://") || !URL.canParse(text)) return false;
	const { username, password, search, hash } = new URL(text);
	return username === "" && password === "" && search === "" && hash === "";
}
function isObject(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
function isTexts(value) {
	return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

// src/live/rdap/public-lookup.ts
/** Somebody pointed at an address that is not on the public internet. */
var NotPublic = class extends Error {
	constructor(host, address, what) {
		super(`${host} is at ${address}: ${what}`);
		this.name = "NotPublic";
	}
};
/** `allowLoopback` is for tests: servers on this machine count as public. */
function requirePublic(host, address, allowLoopback) {
	const ip = parseIp(address);
	const what = ip ? whyNotPublic(ip) : "not an address";
	if (what === void 0 || allowLoopback && what.startsWith("loopback")) return;
	throw new NotPublic(host, ip ? formatIp(ip) : "?", what);
}
/**
* For a socket: it connects to what this answers and to nothing else, so a name that resolves differently the second time
* gains nothing.
*/
function publicLookup(resolve, allowLoopback) {
	return (host, { all }, callback) => {
		resolve(host).then((addresses) => {
			const [first] = addresses;
			if (!first) throw new Error(`${host} has no address`);
			for (const { address } of addresses) requirePublic(host, address, allowLoopback);
			if (all) callback(null, [...addresses]);
			else callback(null, first.address, first.family);
		}).catch((error) => callback(error, "", 0));
	};
}

// src/live/rdap/client.ts
const CONNECT_TIMEOUT_MS = 1e4;
const CONNECTIONS_OWN = 64;
const CONNECTIONS_PUBLIC = 4;
const DUMPED_BYTES_MAX = 65536;
var Client = class {
	#options;
	/** Loaded with the first request: most commands never need it. */
	#loading;
	constructor(options) {
		this.#options = options;
	}
	isOwn(url) {
		return url.origin === this.#options.ownOrigin;
	}
	/** Follows no redirect. Never rejects: what a network does is a reply. */
	async get(url, { timeoutMs, bytesMax }) {
		const abort = new AbortController();
		const timer = setTimeout(() => abort.abort(/* @__PURE__ */ new Error("timeout")), timeoutMs);
		const progress = { answered: false };
		try {
			this.#check(url);
			const exchange = this.#exchange(url, bytesMax, abort.signal, progress);
			exchange.catch(() => {});
			return await Promise.race([exchange, rejectedBy(abort.signal)]);
		} catch (error) {
			return {
				failed: reasonOf(error),
				answered: progress.answered
			};
		} finally {
			clearTimeout(timer);
		}
	}
	/** What is under way is given up. */
	async close() {
		const loaded = await this.#loading;
		await Promise.all([loaded?.ownAgent.destroy(), loaded?.publicAgent.destroy()]);
	}
	#check(url) {
		if (this.isOwn(url)) return;
		const { allowLoopback = false } = this.#options;
		const literal = url.hostname.replace(/^\[|\]$/g, "");
		if (parseIp(literal)) requirePublic(url.hostname, literal, allowLoopback);
		if (url.protocol !== "https:" && !(allowLoopback && url.protocol === "http:")) throw new Error(`${url.protocol}//${url.host} is not https:`);
		if (url.username !== "" || url.password !== "") throw new Error(`an address at ${url.host} holds credentials`);
	}
	async #exchange(url, bytesMax, signal, progress) {
		this.#loading ??= this.#load();
		const { request, ownAgent, publicAgent } = await this.#loading;
		const { statusCode, headers, body } = await request(url, {
			dispatcher: this.isOwn(url) ? ownAgent : publicAgent,
			signal,
			headers: {
				accept: "application/rdap+json, application/json",
				"user-agent": `assay/${VERSION}`
			}
		});
		progress.answered = true;
		body.on("error", () => {});
		const header = (name) => {
			const value = headers[name];
			return Array.isArray(value) ? value[0] : value;
		};
		if (statusCode !== 200) {
			await body.dump({ limit: DUMPED_BYTES_MAX });
			return {
				status: statusCode,
				header,
				body: Buffer.alloc(0)
			};
		}
		const chunks = [];
		let bytes = 0;
		for await (const chunk of body) {
			bytes += chunk.length;
			if (bytes > bytesMax) throw new Error(`an answer longer than ${bytesMax} bytes`);
			chunks.push(chunk);
		}
		return {
			status: statusCode,
			header,
			body: Buffer.concat(chunks)
		};
	}
	async #load() {
		const { Agent, request } = await import("undici");
		const { resolve = (host) => lookup(host, { all: true }), allowLoopback = false } = this.#options;
		const lookup$1 = publicLookup(resolve, allowLoopback);
		return {
			request,
			ownAgent: new Agent({
				connect: { timeout: CONNECT_TIMEOUT_MS },
				connections: CONNECTIONS_OWN
			}),
			publicAgent: new Agent({
				connect: {
					timeout: CONNECT_TIMEOUT_MS,
					lookup: lookup$1
				},
				connections: CONNECTIONS_PUBLIC
			})
		};
	}
};
function rejectedBy(signal) {
	return new Promise((_, reject) => {
		signal.addEventListener("abort", () => reject(signal.reason), { once: true });
	});
}
/** A name with several addresses fails with one error for each of them and no message of its own. */
function reasonOf(error) {
	if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
	return (error instanceof Error ? error.message || error.name : "unknown error").slice(0, 200);
}

export { refreshBootstrap as a, readCompactText as i, Bootstrap as n, isPublicAddress as o, bundledBootstrap as r, Client as t };