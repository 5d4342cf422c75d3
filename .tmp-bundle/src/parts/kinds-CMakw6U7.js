// src/lib/kinds.ts
/** The three kinds of indicator, and everything that differs between them: one table, the rest derives from it. */
const KINDS = {
	email: {
		family: "payment-risk",
		plural: "emails",
		sourceType: "payment_scan",
		scope: "risk:payment"
	},
	domain: {
		family: "supply-chain-risk",
		plural: "domains",
		sourceType: "supply-chain_scan",
		scope: "risk:supply-chain"
	},
	ip: {
		family: "infrastructure-risk",
		plural: "ips",
		sourceType: "infrastructure_scan",
		scope: "risk:infrastructure"
	}
};
const KIND_NAMES = Object.keys(KINDS);
const FAMILIES = KIND_NAMES.map((kind) => KINDS[kind].family);

export { KINDS as n, KIND_NAMES as r, FAMILIES as t };