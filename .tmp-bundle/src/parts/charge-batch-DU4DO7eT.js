import { a as keptBody, c as responsesByName, f as storedResponseName, h as inactiveWords, l as responsesToFind, m as STATE_REASONS, u as responsesToInsert } from "./stored-response-BYNa3zqU.js";
import { L as idSeries, S as termsOf, V as paddedList, b as post, c as planOf, i as entries, m as accountTime, n as accountsById, r as accountsToLock, t as accounts, x as rollPeriod, y as overageLimitOf } from "./accounts-db1MVW_U.js";
import { n as inParts } from "./routine-BXZ82vhO.js";
import { a as periodOf } from "./clock-Cypo2bh8.js";

// src/billing/pricing.ts
/** The fields as they stand in an answer, without the braces: this is written for every request. */
function billingText(billing) {
	return `"charged":${billing.charged},"is_free":${billing.is_free},"unit_price_pence":${billing.unit_price_pence},"billable_units":${billing.billable_units},"total_price_pence":${billing.total_price_pence},"charged_from_credit_pence":${billing.charged_from_credit_pence},"overage_pence":${billing.overage_pence},"remaining_credit_pence":${billing.remaining_credit_pence}`;
}
function price(plan, balance, family, units) {
	const unitPricePence = plan.unit_price_pence[family];
	const totalPence = unitPricePence * units;
	const creditPence = balance.includedPence + balance.prepaidPence;
	if (totalPence === 0 || balance.freeUnitsUsed + units <= plan.free_units) return {
		refused: false,
		billing: {
			charged: false,
			is_free: true,
			unit_price_pence: unitPricePence,
			billable_units: units,
			total_price_pence: 0,
			charged_from_credit_pence: 0,
			overage_pence: 0,
			remaining_credit_pence: creditPence
		},
		fromIncludedPence: 0,
		fromPrepaidPence: 0,
		freeUnits: units
	};
	const overageLeftPence = plan.overage_allowed ? Math.max(0, balance.overageLimitPence - balance.overagePence) : 0;
	if (totalPence - creditPence > overageLeftPence) return {
		refused: true,
		totalPence,
		creditPence,
		overageLeftPence
	};
	const fromIncludedPence = Math.min(totalPence, balance.includedPence);
	const fromPrepaidPence = Math.min(totalPence - fromIncludedPence, balance.prepaidPence);
	const fromCreditPence = fromIncludedPence + fromPrepaidPence;
	return {
		refused: false,
		billing: {
			charged: true,
			is_free: false,
			unit_price_pence: unitPricePence,
			billable_units: units,
			total_price_pence: totalPence,
			charged_from_credit_pence: fromCreditPence,
			overage_pence: totalPence - fromCreditPence,
			remaining_credit_pence: creditPence - fromCreditPence
		},
		fromIncludedPence,
		fromPrepaidPence,
		freeUnits: 0
	};
}

// src/billing/ledger/charge-batch.ts
/**
* The charges of one batch as one transaction: lock the accounts, price the requests in the order they came, write
* entries, balances and (under an idempotency key) answers. Two rounds of statements; nothing in between waits.
*/
const chargeBatch = {
	module: new URL("../billing/ledger/charge-batch.js", import.meta.url).href,
	name: "chargeBatch",
	start: charge,
	joining: {
		join(batches) {
			const last = batches.at(-1);
			if (!last || batches.some(({ waitForLocks }) => waitForLocks !== last.waitForLocks)) return void 0;
			return {
				...last,
				charges: batches.flatMap(({ charges }) => charges)
			};
		},
		part: (outcomes, batches) => inParts(outcomes, batches.map(({ charges }) => charges.length))
	}
};
const newEntryId = idSeries("ent");
/**
* Why a charge would be refused if it came now, by the same rules and without a lock; undefined when it would not be, or
* when something is due that may change the answer. The charge itself decides.
*/
async function foreseeRefusal({ sql, plans, nowMs }, charge) {
	const { organisationId } = charge;
	const { text, params } = organisationsToRead([organisationId]);
	const [account, organisations] = await Promise.all([accounts.find(sql, { organisationId }), sql.query(text, params)]);
	if (!account || account.period < periodOf(accountTime(account, nowMs))) return void 0;
	const outcome = new Batch({
		plans,
		nowMs,
		waitForLocks: true
	}, /* @__PURE__ */ new Map([[organisationId, account]]), organisationsById(organisations), /* @__PURE__ */ new Map()).charge(charge);
	return outcome.is === "refused" ? outcome : void 0;
}
function* charge(input, dialect) {
	const { charges, nowMs, waitForLocks } = input;
	const ids = [...new Set(charges.map(({ organisationId }) => organisationId))].sort();
	const wanted = [];
	for (const { organisationId, keep } of charges) if (keep) wanted.push({
		organisationId,
		key: keep.key
	});
	const [locked, organisations, kept] = yield [
		accountsToLock(dialect, ids, { skipLocked: !waitForLocks }),
		organisationsToRead(ids),
		...responsesToFind(wanted, nowMs)
	];
	const batch = new Batch(input, accountsById(locked ?? []), organisationsById(organisations ?? []), responsesByName(kept ?? []));
	const output = charges.map((one) => {
		try {
			return batch.charge(one);
		} catch (error) {
			return {
				is: "failed",
				message: error instanceof Error ? error.message : String(error)
			};
		}
	});
	return {
		last: batch.writes(dialect),
		output
	};
}
var Batch = class {
	#entries = [];
	#responses = [];
	#changed = /* @__PURE__ */ new Set();
	#broughtToNow = /* @__PURE__ */ new Set();
	#plans;
	#nowMs;
	#waitForLocks;
	#accounts;
	#organisations;
	#kept;
	constructor({ plans, nowMs, waitForLocks }, accounts, organisations, kept) {
		this.#plans = new Map(plans.map((plan) => [plan.id, plan]));
		this.#nowMs = nowMs;
		this.#waitForLocks = waitForLocks;
		this.#accounts = accounts;
		this.#organisations = organisations;
		this.#kept = kept;
	}
	charge(one) {
		const { organisationId, keep } = one;
		const organisation = this.#organisations.get(organisationId);
		const account = this.#accounts.get(organisationId);
		if (organisation && !account && !this.#waitForLocks) return { is: "locked" };
		if (!organisation || !account) return refused("account_inactive", inactiveWords(null));
		const nowMs = accountTime(account, this.#nowMs);
		if (organisation.state_until !== null && organisation.state_until <= nowMs) return { is: "due" };
		if (organisation.state === "disabled") return refused("account_disabled", STATE_REASONS.disabled);
		if (organisation.state !== "active") return refused("account_inactive", inactiveWords(organisation.state_reason));
		const answered = keep && this.#kept.get(storedResponseName(organisationId, keep.key));
		if (answered) return {
			is: "kept",
			requestHash: answered.requestHash,
			body: answered.body
		};
		return this.#price(one, this.#bringToNow(account, nowMs), nowMs);
	}
	writes(dialect) {
		const changed = [];
		for (const id of this.#changed) {
			const account = this.#accounts.get(id);
			if (account) changed.push(account);
		}
		return [
			...entries.toInsert(dialect, this.#entries),
			...accounts.toUpsert(dialect, changed),
			...responsesToInsert(dialect, this.#responses)
		];
	}
	#price(one, account, nowMs) {
		const plan = termsOf(account, planOf(this.#plans, account));
		const balance = {
			...account,
			overageLimitPence: overageLimitOf(account, plan)
		};
		const priced = price(plan, balance, one.family, one.units);
		if (priced.refused) return refused("credit_exhausted", exhausted(plan, priced));
		const { billing } = priced;
		const posted = post(account, {
			id: newEntryId(),
			kind: "charge",
			family: one.family,
			units: one.units,
			freeUnits: priced.freeUnits,
			unitPricePence: billing.unit_price_pence,
			includedDeltaPence: 0 - priced.fromIncludedPence,
			prepaidDeltaPence: 0 - priced.fromPrepaidPence,
			overageDeltaPence: billing.overage_pence,
			credentialId: one.credentialId,
			requestId: one.requestId
		}, nowMs);
		const text = billingText(billing);
		if (one.keep) this.#keep(one.organisationId, one.keep, text);
		this.#accounts.set(one.organisationId, posted.account);
		this.#changed.add(one.organisationId);
		this.#entries.push(posted.entry);
		return {
			is: "charged",
			billing: text,
			paid: billing.is_free ? "free" : billing.overage_pence > 0 ? "overage" : "credit",
			seq: posted.entry.seq
		};
	}
	#keep(organisationId, { key, sealed }, billing) {
		const response = {
			organisationId,
			key,
			requestHash: "",
			status: 200,
			body: keptBody(sealed, billing),
			createdAtMs: this.#nowMs
		};
		this.#responses.push(response);
		this.#kept.set(storedResponseName(organisationId, key), response);
	}
	#bringToNow(account, nowMs) {
		const { organisationId } = account;
		if (this.#broughtToNow.has(organisationId)) return account;
		this.#broughtToNow.add(organisationId);
		const rolled = rollPeriod(account, planOf(this.#plans, account), nowMs, newEntryId);
		if (rolled.account === account) return account;
		this.#accounts.set(organisationId, rolled.account);
		this.#changed.add(organisationId);
		this.#entries.push(...rolled.entries);
		return rolled.account;
	}
};
function exhausted(plan, { totalPence, creditPence, overageLeftPence }) {
	const left = `The request costs ${totalPence} pence and ${creditPence} are left`;
	return plan.overage_allowed ? `${left}, with ${overageLeftPence} of overage. Top up, pay open invoices, or ask for a higher limit of overage.` : `${left}. Top up, or choose a plan with overage.`;
}
function refused(code, detail) {
	return {
		is: "refused",
		code,
		detail
	};
}
function organisationsToRead(organisationIds) {
	const { marks, values } = paddedList(organisationIds, 1);
	return {
		text: `select id, state, state_reason, state_until from organisation where id in (${marks})`,
		params: values
	};
}
function organisationsById(rows) {
	return new Map(rows.map((row) => [row.id, row]));
}

export { foreseeRefusal as n, price as r, chargeBatch as t };