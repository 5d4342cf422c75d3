import { A as SETTLED_AFTER_MS, B as migrate, C as replaceSecret, D as rotateSigningKeys, E as loadSigningKeys, F as sealWithNewest, G as loadPlans, I as secretIdOf, L as prefixOf, M as endReplacing, N as newestSealsAt, P as readSecrets, R as textTable, S as readSecret, T as SEALED_SIGNING_KEYS, W as PlansError, a as oneOfWords, b as openRingWith, d as wholeNumber, f as withStore, h as liveSettingsOf, i as dateText, j as beginReplacing, k as createSealer, l as table, n as OperatorError, o as openConfigured, p as wordsOf, s as print, t as LIST_ROWS_MAX, u as verb, v as loadSecret, w as secretFiles, x as makeSecret, y as openConfiguredRing } from "./context-BbeCwace.js";
import { m as STATE_REASONS, t as SEALED_ANSWERS } from "./stored-response-BYNa3zqU.js";
import { i as changeIn, n as StoreUnavailable } from "./sql-DF74iSw8.js";
import { O as link, _ as hashedFields, d as readEntries, l as readAccount, n as accountsById, t as accounts } from "./accounts-db1MVW_U.js";
import { r as runStatements } from "./routine-BXZ82vhO.js";
import { o as systemClock, t as DAY_MS } from "./clock-Cypo2bh8.js";
import { n as Problem } from "./errors-BqwugPUl.js";
import { d as parseIp, r as normaliseHost, s as formatIp } from "./domain-kPPiJw5e.js";
import { c as CatalogueInvalid, f as checkFeed, p as readCatalogue } from "./worker-Cpb_pN4u.js";
import { _ as SnapshotRefused } from "./research-scanners-CkdNVrH6.js";
import { n as isoDay, r as isoOrNull, t as iso } from "./time-text-Dd5R05a3.js";
import { t as VERSION } from "./version-CeV_Boaa.js";
import { t as createObservers } from "./local-observers-CI41p7f1.js";
import { t as openSnapshot } from "./read-BljDd-eC.js";
import { K as requireOrganisation, L as PAYMENT_OUTCOMES, M as bringToPresent, Ot as KEY_SCOPE_NAMES, S as setPlan, Tt as operatorIn, _t as readAudit, b as setOperatorWord, bt as hashedAuditFields, c as refundByHand, ct as listInvoices, d as addCredit, dt as requireInvoice, gt as audit, i as listPayments, it as INVOICE_STATES, l as settleByHand, nt as ROLE_NAMES, vt as auditHeads, w as voidInvoice, x as setOverageLimit, xt as readAuditChain, yt as hashOlderAudit } from "./payments-DmyGfVrk.js";
import { n as ConfigError } from "./config-DJpv5Jli.js";
import { $ as createFeedStore, $t as WITHIN_PAGE, A as CLIENT_KIND_NAMES, At as requirePersonByEmail, Bt as revokeKey, D as resetPassword, Dt as listPeople, E as enablePerson, F as createClient, H as requireClient, I as deleteClient, J as announcePersonChange, Jt as anchorLine, K as announceClientChange, Mt as GRACE_HOURS_MAX, N as authenticationOf, P as changeClient, Pt as createKey, Q as syncFeeds, Qt as SIGNED_ANCHORS, Rt as listKeys, St as setRole, T as disablePerson, U as rotateClientSecret, V as listClients, Vt as rotateKey, Wt as anchorNow, X as compileAndPublish, Xt as lastNumberOf, Y as FEEDS_JOB, Yt as appendRestore, Zt as readAnchorsFile, an as lastAnchor, at as isOn, b as newPassword, bt as removeMember, cn as readAnchors, ct as arrangeOrganisation, d as questionsAbout, en as chainHolders, et as openBundled, g as writeFacts, h as readFacts, in as isSigned, it as snapshotFile, ln as readHeadsOf, mt as addMember, nn as hashOfHead, nt as publishedSnapshots, on as pageOf, ot as missingKey, p as readBootstrap, q as announceKeyChange, qt as jobLock, rn as hashOfHeads, rt as rollbackSnapshot, sn as readAnchorHeads, st as findOrganisations, t as SEALED_RECORDS, tn as hashOfAnchor, u as createFetcher, w as setOperator, wt as createPerson, x as passwordProblem, y as hashPassword, yt as organisationsOf, zt as requireKey } from "./adapter-GNbZPvlU.js";
import fs, { existsSync, readFileSync, rmSync } from "node:fs";
import path, { resolve } from "node:path";
import { EventEmitter } from "node:events";
import { setTimeout } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import childProcess from "node:child_process";
import process$1 from "node:process";

// node_modules/commander/lib/error.js
/**
* CommanderError class
*/
var CommanderError = class extends Error {
	/**
	* Constructs the CommanderError class
	* @param {number} exitCode suggested exit code which could be used with process.exit
	* @param {string} code an id string representing the error
	* @param {string} message human-readable description of the error
	*/
	constructor(exitCode, code, message) {
		super(message);
		Error.captureStackTrace(this, this.constructor);
		this.name = this.constructor.name;
		this.code = code;
		this.exitCode = exitCode;
		this.nestedError = void 0;
	}
};
/**
* InvalidArgumentError class
*/
var InvalidArgumentError = class extends CommanderError {
	/**
	* Constructs the InvalidArgumentError class
	* @param {string} [message] explanation of why argument is invalid
	*/
	constructor(message) {
		super(1, "commander.invalidArgument", message);
		Error.captureStackTrace(this, this.constructor);
		this.name = this.constructor.name;
	}
};

// node_modules/commander/lib/argument.js
var Argument = class {
	/**
	* Initialize a new command argument with the given name and description.
	* The default is that the argument is required, and you can explicitly
	* indicate this with <> around the name. Put [] around the name for an optional argument.
	*
	* @param {string} name
	* @param {string} [description]
	*/
	constructor(name, description) {
		this.description = description || "";
		this.variadic = false;
		this.parseArg = void 0;
		this.defaultValue = void 0;
		this.defaultValueDescription = void 0;
		this.argChoices = void 0;
		switch (name[0]) {
			case "<":
				this.required = true;
				this._name = name.slice(1, -1);
				break;
			case "[":
				this.required = false;
				this._name = name.slice(1, -1);
				break;
			default:
				this.required = true;
				this._name = name;
		}
		if (this._name.endsWith("...")) {
			this.variadic = true;
			this._name = this._name.slice(0, -3);
		}
	}
	/**
	* Return argument name.
	*
	* @return {string}
	*/
	name() {
		return this._name;
	}
	/**
	* @package
	*/
	_collectValue(value, previous) {
		if (previous === this.defaultValue || !Array.isArray(previous)) return [value];
		previous.push(value);
		return previous;
	}
	/**
	* Set the default value, and optionally supply the description to be displayed in the help.
	*
	* @param {*} value
	* @param {string} [description]
	* @return {Argument}
	*/
	default(value, description) {
		this.defaultValue = value;
		this.defaultValueDescription = description;
		return this;
	}
	/**
	* Set the custom handler for processing CLI command arguments into argument values.
	*
	* @param {Function} [fn]
	* @return {Argument}
	*/
	argParser(fn) {
		this.parseArg = fn;
		return this;
	}
	/**
	* Only allow argument value to be one of choices.
	*
	* @param {string[]} values
	* @return {Argument}
	*/
	choices(values) {
		this.argChoices = values.slice();
		this.parseArg = (arg, previous) => {
			if (!this.argChoices.includes(arg)) throw new InvalidArgumentError(`Allowed choices are ${this.argChoices.join(", ")}.`);
			if (this.variadic) return this._collectValue(arg, previous);
			return arg;
		};
		return this;
	}
	/**
	* Make argument required.
	*
	* @returns {Argument}
	*/
	argRequired() {
		this.required = true;
		return this;
	}
	/**
	* Make argument optional.
	*
	* @returns {Argument}
	*/
	argOptional() {
		this.required = false;
		return this;
	}
};
/**
* Takes an argument and returns its human readable equivalent for help usage.
*
* @param {Argument} arg
* @return {string}
* @private
*/
function humanReadableArgName(arg) {
	const nameOutput = arg.name() + (arg.variadic === true ? "..." : "");
	return arg.required ? "<" + nameOutput + ">" : "[" + nameOutput + "]";
}

// node_modules/commander/lib/help.js
/**
* TypeScript import types for JSDoc, used by Visual Studio Code IntelliSense and `npm run typescript-checkJS`
* https://www.typescriptlang.org/docs/handbook/jsdoc-supported-types.html#import-types
* @typedef { import("./argument.js").Argument } Argument
* @typedef { import("./command.js").Command } Command
* @typedef { import("./option.js").Option } Option
*/
var Help = class {
	constructor() {
		this.helpWidth = void 0;
		this.minWidthToWrap = 40;
		this.sortSubcommands = false;
		this.sortOptions = false;
		this.showGlobalOptions = false;
	}
	/**
	* prepareContext is called by Commander after applying overrides from `Command.configureHelp()`
	* and just before calling `formatHelp()`.
	*
	* Commander just uses the helpWidth and the rest is provided for optional use by more complex subclasses.
	*
	* @param {{ error?: boolean, helpWidth?: number, outputHasColors?: boolean }} contextOptions
	*/
	prepareContext(contextOptions) {
		this.helpWidth = this.helpWidth ?? contextOptions.helpWidth ?? 80;
	}
	/**
	* Get an array of the visible subcommands. Includes a placeholder for the implicit help command, if there is one.
	*
	* @param {Command} cmd
	* @returns {Command[]}
	*/
	visibleCommands(cmd) {
		const visibleCommands = cmd.commands.filter((cmd) => !cmd._hidden);
		const helpCommand = cmd._getHelpCommand();
		if (helpCommand && !helpCommand._hidden) visibleCommands.push(helpCommand);
		if (this.sortSubcommands) visibleCommands.sort((a, b) => {
			return a.name().localeCompare(b.name());
		});
		return visibleCommands;
	}
	/**
	* Compare options for sort.
	*
	* @param {Option} a
	* @param {Option} b
	* @returns {number}
	*/
	compareOptions(a, b) {
		const getSortKey = (option) => {
			return option.short ? option.short.replace(/^-/, "") : option.long.replace(/^--/, "");
		};
		return getSortKey(a).localeCompare(getSortKey(b));
	}
	/**
	* Get an array of the visible options. Includes a placeholder for the implicit help option, if there is one.
	*
	* @param {Command} cmd
	* @returns {Option[]}
	*/
	visibleOptions(cmd) {
		const visibleOptions = cmd.options.filter((option) => !option.hidden);
		const helpOption = cmd._getHelpOption();
		if (helpOption && !helpOption.hidden) {
			const removeShort = helpOption.short && cmd._findOption(helpOption.short);
			const removeLong = helpOption.long && cmd._findOption(helpOption.long);
			if (!removeShort && !removeLong) visibleOptions.push(helpOption);
			else if (helpOption.long && !removeLong) visibleOptions.push(cmd.createOption(helpOption.long, helpOption.description).helpGroup(helpOption.helpGroupHeading));
			else if (helpOption.short && !removeShort) visibleOptions.push(cmd.createOption(helpOption.short, helpOption.description).helpGroup(helpOption.helpGroupHeading));
		}
		if (this.sortOptions) visibleOptions.sort(this.compareOptions);
		return visibleOptions;
	}
	/**
	* Get an array of the visible global options. (Not including help.)
	*
	* @param {Command} cmd
	* @returns {Option[]}
	*/
	visibleGlobalOptions(cmd) {
		if (!this.showGlobalOptions) return [];
		const globalOptions = [];
		for (let ancestorCmd = cmd.parent; ancestorCmd; ancestorCmd = ancestorCmd.parent) {
			const visibleOptions = ancestorCmd.options.filter((option) => !option.hidden);
			globalOptions.push(...visibleOptions);
		}
		if (this.sortOptions) globalOptions.sort(this.compareOptions);
		return globalOptions;
	}
	/**
	* Get an array of the arguments if any have a description.
	*
	* @param {Command} cmd
	* @returns {Argument[]}
	*/
	visibleArguments(cmd) {
		if (cmd._argsDescription) cmd.registeredArguments.forEach((argument) => {
			argument.description = argument.description || cmd._argsDescription[argument.name()] || "";
		});
		if (cmd.registeredArguments.find((argument) => argument.description)) return cmd.registeredArguments;
		return [];
	}
	/**
	* Get the command term to show in the list of subcommands.
	*
	* @param {Command} cmd
	* @returns {string}
	*/
	subcommandTerm(cmd) {
		const args = cmd.registeredArguments.map((arg) => humanReadableArgName(arg)).join(" ");
		return cmd._name + (cmd._aliases[0] ? "|" + cmd._aliases[0] : "") + (cmd.options.length ? " [options]" : "") + (args ? " " + args : "");
	}
	/**
	* Get the option term to show in the list of options.
	*
	* @param {Option} option
	* @returns {string}
	*/
	optionTerm(option) {
		return option.flags;
	}
	/**
	* Get the argument term to show in the list of arguments.
	*
	* @param {Argument} argument
	* @returns {string}
	*/
	argumentTerm(argument) {
		return argument.name();
	}
	/**
	* Get the longest command term length.
	*
	* @param {Command} cmd
	* @param {Help} helper
	* @returns {number}
	*/
	longestSubcommandTermLength(cmd, helper) {
		return helper.visibleCommands(cmd).reduce((max, command) => {
			return Math.max(max, this.displayWidth(helper.styleSubcommandTerm(helper.subcommandTerm(command))));
		}, 0);
	}
	/**
	* Get the longest option term length.
	*
	* @param {Command} cmd
	* @param {Help} helper
	* @returns {number}
	*/
	longestOptionTermLength(cmd, helper) {
		return helper.visibleOptions(cmd).reduce((max, option) => {
			return Math.max(max, this.displayWidth(helper.styleOptionTerm(helper.optionTerm(option))));
		}, 0);
	}
	/**
	* Get the longest global option term length.
	*
	* @param {Command} cmd
	* @param {Help} helper
	* @returns {number}
	*/
	longestGlobalOptionTermLength(cmd, helper) {
		return helper.visibleGlobalOptions(cmd).reduce((max, option) => {
			return Math.max(max, this.displayWidth(helper.styleOptionTerm(helper.optionTerm(option))));
		}, 0);
	}
	/**
	* Get the longest argument term length.
	*
	* @param {Command} cmd
	* @param {Help} helper
	* @returns {number}
	*/
	longestArgumentTermLength(cmd, helper) {
		return helper.visibleArguments(cmd).reduce((max, argument) => {
			return Math.max(max, this.displayWidth(helper.styleArgumentTerm(helper.argumentTerm(argument))));
		}, 0);
	}
	/**
	* Get the command usage to be displayed at the top of the built-in help.
	*
	* @param {Command} cmd
	* @returns {string}
	*/
	commandUsage(cmd) {
		let cmdName = cmd._name;
		if (cmd._aliases[0]) cmdName = cmdName + "|" + cmd._aliases[0];
		let ancestorCmdNames = "";
		for (let ancestorCmd = cmd.parent; ancestorCmd; ancestorCmd = ancestorCmd.parent) ancestorCmdNames = ancestorCmd.name() + " " + ancestorCmdNames;
		return ancestorCmdNames + cmdName + " " + cmd.usage();
	}
	/**
	* Get the description for the command.
	*
	* @param {Command} cmd
	* @returns {string}
	*/
	commandDescription(cmd) {
		return cmd.description();
	}
	/**
	* Get the subcommand summary to show in the list of subcommands.
	* (Fallback to description for backwards compatibility.)
	*
	* @param {Command} cmd
	* @returns {string}
	*/
	subcommandDescription(cmd) {
		return cmd.summary() || cmd.description();
	}
	/**
	* Get the option description to show in the list of options.
	*
	* @param {Option} option
	* @return {string}
	*/
	optionDescription(option) {
		const extraInfo = [];
		if (option.argChoices) extraInfo.push(`choices: ${option.argChoices.map((choice) => JSON.stringify(choice)).join(", ")}`);
		if (option.defaultValue !== void 0) {
			if (option.required || option.optional || option.isBoolean() && typeof option.defaultValue === "boolean") extraInfo.push(`default: ${option.defaultValueDescription || JSON.stringify(option.defaultValue)}`);
		}
		if (option.presetArg !== void 0 && option.optional) extraInfo.push(`preset: ${JSON.stringify(option.presetArg)}`);
		if (option.envVar !== void 0) extraInfo.push(`env: ${option.envVar}`);
		if (extraInfo.length > 0) {
			const extraDescription = `(${extraInfo.join(", ")})`;
			if (option.description) return `${option.description} ${extraDescription}`;
			return extraDescription;
		}
		return option.description;
	}
	/**
	* Get the argument description to show in the list of arguments.
	*
	* @param {Argument} argument
	* @return {string}
	*/
	argumentDescription(argument) {
		const extraInfo = [];
		if (argument.argChoices) extraInfo.push(`choices: ${argument.argChoices.map((choice) => JSON.stringify(choice)).join(", ")}`);
		if (argument.defaultValue !== void 0) extraInfo.push(`default: ${argument.defaultValueDescription || JSON.stringify(argument.defaultValue)}`);
		if (extraInfo.length > 0) {
			const extraDescription = `(${extraInfo.join(", ")})`;
			if (argument.description) return `${argument.description} ${extraDescription}`;
			return extraDescription;
		}
		return argument.description;
	}
	/**
	* Format a list of items, given a heading and an array of formatted items.
	*
	* @param {string} heading
	* @param {string[]} items
	* @param {Help} helper
	* @returns string[]
	*/
	formatItemList(heading, items, helper) {
		if (items.length === 0) return [];
		return [
			helper.styleTitle(heading),
			...items,
			""
		];
	}
	/**
	* Group items by their help group heading.
	*
	* @param {Command[] | Option[]} unsortedItems
	* @param {Command[] | Option[]} visibleItems
	* @param {Function} getGroup
	* @returns {Map<string, Command[] | Option[]>}
	*/
	groupItems(unsortedItems, visibleItems, getGroup) {
		const result = /* @__PURE__ */ new Map();
		unsortedItems.forEach((item) => {
			const group = getGroup(item);
			if (!result.has(group)) result.set(group, []);
		});
		visibleItems.forEach((item) => {
			const group = getGroup(item);
			if (!result.has(group)) result.set(group, []);
			result.get(group).push(item);
		});
		return result;
	}
	/**
	* Generate the built-in help text.
	*
	* @param {Command} cmd
	* @param {Help} helper
	* @returns {string}
	*/
	formatHelp(cmd, helper) {
		const termWidth = helper.padWidth(cmd, helper);
		const helpWidth = helper.helpWidth ?? 80;
		function callFormatItem(term, description) {
			return helper.formatItem(term, termWidth, description, helper);
		}
		let output = [`${helper.styleTitle("Usage:")} ${helper.styleUsage(helper.commandUsage(cmd))}`, ""];
		const commandDescription = helper.commandDescription(cmd);
		if (commandDescription.length > 0) output = output.concat([helper.boxWrap(helper.styleCommandDescription(commandDescription), helpWidth), ""]);
		const argumentList = helper.visibleArguments(cmd).map((argument) => {
			return callFormatItem(helper.styleArgumentTerm(helper.argumentTerm(argument)), helper.styleArgumentDescription(helper.argumentDescription(argument)));
		});
		output = output.concat(this.formatItemList("Arguments:", argumentList, helper));
		this.groupItems(cmd.options, helper.visibleOptions(cmd), (option) => option.helpGroupHeading ?? "Options:").forEach((options, group) => {
			const optionList = options.map((option) => {
				return callFormatItem(helper.styleOptionTerm(helper.optionTerm(option)), helper.styleOptionDescription(helper.optionDescription(option)));
			});
			output = output.concat(this.formatItemList(group, optionList, helper));
		});
		if (helper.showGlobalOptions) {
			const globalOptionList = helper.visibleGlobalOptions(cmd).map((option) => {
				return callFormatItem(helper.styleOptionTerm(helper.optionTerm(option)), helper.styleOptionDescription(helper.optionDescription(option)));
			});
			output = output.concat(this.formatItemList("Global Options:", globalOptionList, helper));
		}
		this.groupItems(cmd.commands, helper.visibleCommands(cmd), (sub) => sub.helpGroup() || "Commands:").forEach((commands, group) => {
			const commandList = commands.map((sub) => {
				return callFormatItem(helper.styleSubcommandTerm(helper.subcommandTerm(sub)), helper.styleSubcommandDescription(helper.subcommandDescription(sub)));
			});
			output = output.concat(this.formatItemList(group, commandList, helper));
		});
		return output.join("\n");
	}
	/**
	* Return display width of string, ignoring ANSI escape sequences. Used in padding and wrapping calculations.
	*
	* @param {string} str
	* @returns {number}
	*/
	displayWidth(str) {
		return stripVTControlCharacters(str).length;
	}
	/**
	* Style the title for displaying in the help. Called with 'Usage:', 'Options:', etc.
	*
	* @param {string} str
	* @returns {string}
	*/
	styleTitle(str) {
		return str;
	}
	styleUsage(str) {
		return str.split(" ").map((word) => {
			if (word === "[options]") return this.styleOptionText(word);
			if (word === "[command]") return this.styleSubcommandText(word);
			if (word[0] === "[" || word[0] === "<") return this.styleArgumentText(word);
			return this.styleCommandText(word);
		}).join(" ");
	}
	styleCommandDescription(str) {
		return this.styleDescriptionText(str);
	}
	styleOptionDescription(str) {
		return this.styleDescriptionText(str);
	}
	styleSubcommandDescription(str) {
		return this.styleDescriptionText(str);
	}
	styleArgumentDescription(str) {
		return this.styleDescriptionText(str);
	}
	styleDescriptionText(str) {
		return str;
	}
	styleOptionTerm(str) {
		return this.styleOptionText(str);
	}
	styleSubcommandTerm(str) {
		return str.split(" ").map((word) => {
			if (word === "[options]") return this.styleOptionText(word);
			if (word[0] === "[" || word[0] === "<") return this.styleArgumentText(word);
			return this.styleSubcommandText(word);
		}).join(" ");
	}
	styleArgumentTerm(str) {
		return this.styleArgumentText(str);
	}
	styleOptionText(str) {
		return str;
	}
	styleArgumentText(str) {
		return str;
	}
	styleSubcommandText(str) {
		return str;
	}
	styleCommandText(str) {
		return str;
	}
	/**
	* Calculate the pad width from the maximum term length.
	*
	* @param {Command} cmd
	* @param {Help} helper
	* @returns {number}
	*/
	padWidth(cmd, helper) {
		return Math.max(helper.longestOptionTermLength(cmd, helper), helper.longestGlobalOptionTermLength(cmd, helper), helper.longestSubcommandTermLength(cmd, helper), helper.longestArgumentTermLength(cmd, helper));
	}
	/**
	* Detect manually wrapped and indented strings by checking for line break followed by whitespace.
	*
	* @param {string} str
	* @returns {boolean}
	*/
	preformatted(str) {
		return /\n[^\S\r\n]/.test(str);
	}
	/**
	* Format the "item", which consists of a term and description. Pad the term and wrap the description, indenting the following lines.
	*
	* So "TTT", 5, "DDD DDDD DD DDD" might be formatted for this.helpWidth=17 like so:
	*   TTT  DDD DDDD
	*        DD DDD
	*
	* @param {string} term
	* @param {number} termWidth
	* @param {string} description
	* @param {Help} helper
	* @returns {string}
	*/
	formatItem(term, termWidth, description, helper) {
		const itemIndent = 2;
		const itemIndentStr = " ".repeat(itemIndent);
		if (!description) return itemIndentStr + term;
		const paddedTerm = term.padEnd(termWidth + term.length - helper.displayWidth(term));
		const spacerWidth = 2;
		const remainingWidth = (this.helpWidth ?? 80) - termWidth - spacerWidth - itemIndent;
		let formattedDescription;
		if (remainingWidth < this.minWidthToWrap || helper.preformatted(description)) formattedDescription = description;
		else formattedDescription = helper.boxWrap(description, remainingWidth).replace(/\n/g, "\n" + " ".repeat(termWidth + spacerWidth));
		return itemIndentStr + paddedTerm + " ".repeat(spacerWidth) + formattedDescription.replace(/\n/g, `\n${itemIndentStr}`);
	}
	/**
	* Wrap a string at whitespace, preserving existing line breaks.
	* Wrapping is skipped if the width is less than `minWidthToWrap`.
	*
	* @param {string} str
	* @param {number} width
	* @returns {string}
	*/
	boxWrap(str, width) {
		if (width < this.minWidthToWrap) return str;
		const rawLines = str.split(/\r\n|\n/);
		const chunkPattern = /[\s]*[^\s]+/g;
		const wrappedLines = [];
		rawLines.forEach((line) => {
			const chunks = line.match(chunkPattern);
			if (chunks === null) {
				wrappedLines.push("");
				return;
			}
			let sumChunks = [chunks.shift()];
			let sumWidth = this.displayWidth(sumChunks[0]);
			chunks.forEach((chunk) => {
				const visibleWidth = this.displayWidth(chunk);
				if (sumWidth + visibleWidth <= width) {
					sumChunks.push(chunk);
					sumWidth += visibleWidth;
					return;
				}
				wrappedLines.push(sumChunks.join(""));
				const nextChunk = chunk.trimStart();
				sumChunks = [nextChunk];
				sumWidth = this.displayWidth(nextChunk);
			});
			wrappedLines.push(sumChunks.join(""));
		});
		return wrappedLines.join("\n");
	}
};

// node_modules/commander/lib/option.js
var Option = class {
	/**
	* Initialize a new `Option` with the given `flags` and `description`.
	*
	* @param {string} flags
	* @param {string} [description]
	*/
	constructor(flags, description) {
		this.flags = flags;
		this.description = description || "";
		this.required = flags.includes("<");
		this.optional = flags.includes("[");
		this.variadic = /\p{ID_Continue}\.\.\.[>\]]$/u.test(flags);
		this.mandatory = false;
		const optionFlags = splitOptionFlags(flags);
		this.short = optionFlags.shortFlag;
		this.long = optionFlags.longFlag;
		this.negate = false;
		if (this.long) this.negate = this.long.startsWith("--no-");
		this.defaultValue = void 0;
		this.defaultValueDescription = void 0;
		this.presetArg = void 0;
		this.envVar = void 0;
		this.parseArg = void 0;
		this.hidden = false;
		this.argChoices = void 0;
		this.conflictsWith = [];
		this.implied = void 0;
		this.helpGroupHeading = void 0;
	}
	/**
	* Set the default value, and optionally supply the description to be displayed in the help.
	*
	* @param {*} value
	* @param {string} [description]
	* @return {Option}
	*/
	default(value, description) {
		this.defaultValue = value;
		this.defaultValueDescription = description;
		return this;
	}
	/**
	* Preset to use when option used without option-argument, especially optional but also boolean and negated.
	* The custom processing (parseArg) is called.
	*
	* @example
	* new Option('--color').default('GREYSCALE').preset('RGB');
	* new Option('--donate [amount]').preset('20').argParser(parseFloat);
	*
	* @param {*} arg
	* @return {Option}
	*/
	preset(arg) {
		this.presetArg = arg;
		return this;
	}
	/**
	* Add option name(s) that conflict with this option.
	* An error will be displayed if conflicting options are found during parsing.
	*
	* @example
	* new Option('--rgb').conflicts('cmyk');
	* new Option('--js').conflicts(['ts', 'jsx']);
	*
	* @param {(string | string[])} names
	* @return {Option}
	*/
	conflicts(names) {
		this.conflictsWith = this.conflictsWith.concat(names);
		return this;
	}
	/**
	* Specify implied option values for when this option is set and the implied options are not.
	*
	* The custom processing (parseArg) is not called on the implied values.
	*
	* @example
	* program
	*   .addOption(new Option('--log', 'write logging information to file'))
	*   .addOption(new Option('--trace', 'log extra details').implies({ log: 'trace.txt' }));
	*
	* @param {object} impliedOptionValues
	* @return {Option}
	*/
	implies(impliedOptionValues) {
		let newImplied = impliedOptionValues;
		if (typeof impliedOptionValues === "string") newImplied = { [impliedOptionValues]: true };
		this.implied = Object.assign(this.implied || {}, newImplied);
		return this;
	}
	/**
	* Set environment variable to check for option value.
	*
	* An environment variable is only used if when processed the current option value is
	* undefined, or the source of the current value is 'default' or 'config' or 'env'.
	*
	* @param {string} name
	* @return {Option}
	*/
	env(name) {
		this.envVar = name;
		return this;
	}
	/**
	* Set the custom handler for processing CLI option arguments into option values.
	*
	* @param {Function} [fn]
	* @return {Option}
	*/
	argParser(fn) {
		this.parseArg = fn;
		return this;
	}
	/**
	* Whether the option is mandatory and must have a value after parsing.
	*
	* @param {boolean} [mandatory=true]
	* @return {Option}
	*/
	makeOptionMandatory(mandatory = true) {
		this.mandatory = !!mandatory;
		return this;
	}
	/**
	* Hide option in help.
	*
	* @param {boolean} [hide=true]
	* @return {Option}
	*/
	hideHelp(hide = true) {
		this.hidden = !!hide;
		return this;
	}
	/**
	* @package
	*/
	_collectValue(value, previous) {
		if (previous === this.defaultValue || !Array.isArray(previous)) return [value];
		previous.push(value);
		return previous;
	}
	/**
	* Only allow option value to be one of choices.
	*
	* @param {string[]} values
	* @return {Option}
	*/
	choices(values) {
		this.argChoices = values.slice();
		this.parseArg = (arg, previous) => {
			if (!this.argChoices.includes(arg)) throw new InvalidArgumentError(`Allowed choices are ${this.argChoices.join(", ")}.`);
			if (this.variadic) return this._collectValue(arg, previous);
			return arg;
		};
		return this;
	}
	/**
	* Return option name.
	*
	* @return {string}
	*/
	name() {
		if (this.long) return this.long.replace(/^--/, "");
		return this.short.replace(/^-/, "");
	}
	/**
	* Return option name, in a camelcase format that can be used
	* as an object attribute key.
	*
	* @return {string}
	*/
	attributeName() {
		if (this.negate) return camelcase(this.name().replace(/^no-/, ""));
		return camelcase(this.name());
	}
	/**
	* Set the help group heading.
	*
	* @param {string} heading
	* @return {Option}
	*/
	helpGroup(heading) {
		this.helpGroupHeading = heading;
		return this;
	}
	/**
	* Check if `arg` matches the short or long flag.
	*
	* @param {string} arg
	* @return {boolean}
	* @package
	*/
	is(arg) {
		return this.short === arg || this.long === arg;
	}
	/**
	* Return whether a boolean option.
	*
	* Options are one of boolean, negated, required argument, or optional argument.
	*
	* @return {boolean}
	* @package
	*/
	isBoolean() {
		return !this.required && !this.optional && !this.negate;
	}
};
/**
* This class is to make it easier to work with dual options, without changing the existing
* implementation. We support separate dual options for separate positive and negative options,
* like `--build` and `--no-build`, which share a single option value. This works nicely for some
* use cases, but is tricky for others where we want separate behaviours despite
* the single shared option value.
*/
var DualOptions = class {
	/**
	* @param {Option[]} options
	*/
	constructor(options) {
		this.positiveOptions = /* @__PURE__ */ new Map();
		this.negativeOptions = /* @__PURE__ */ new Map();
		this.dualOptions = /* @__PURE__ */ new Set();
		options.forEach((option) => {
			if (option.negate) this.negativeOptions.set(option.attributeName(), option);
			else this.positiveOptions.set(option.attributeName(), option);
		});
		this.negativeOptions.forEach((value, key) => {
			if (this.positiveOptions.has(key)) this.dualOptions.add(key);
		});
	}
	/**
	* Did the value come from the option, and not from possible matching dual option?
	*
	* @param {*} value
	* @param {Option} option
	* @returns {boolean}
	*/
	valueFromOption(value, option) {
		const optionKey = option.attributeName();
		if (!this.dualOptions.has(optionKey)) return true;
		const preset = this.negativeOptions.get(optionKey).presetArg;
		const negativeValue = preset !== void 0 ? preset : false;
		return option.negate === (negativeValue === value);
	}
};
/**
* Convert string from kebab-case to camelCase.
*
* @param {string} str
* @return {string}
* @private
*/
function camelcase(str) {
	return str.split("-").reduce((str, word) => {
		return str + word[0].toUpperCase() + word.slice(1);
	});
}
/**
* Split the short and long flag out of something like '-m,--mixed <value>'
*
* @private
*/
function splitOptionFlags(flags) {
	let shortFlag;
	let longFlag;
	const shortFlagExp = /^-[^-]$/;
	const longFlagExp = /^--[^-]/;
	const flagParts = flags.split(/[ |,]+/).concat("guard");
	if (shortFlagExp.test(flagParts[0])) shortFlag = flagParts.shift();
	if (longFlagExp.test(flagParts[0])) longFlag = flagParts.shift();
	if (!shortFlag && shortFlagExp.test(flagParts[0])) shortFlag = flagParts.shift();
	if (!shortFlag && longFlagExp.test(flagParts[0])) {
		shortFlag = longFlag;
		longFlag = flagParts.shift();
	}
	if (flagParts[0].startsWith("-")) {
		const unsupportedFlag = flagParts[0];
		const baseError = `option creation failed due to '${unsupportedFlag}' in option flags '${flags}'`;
		if (/^-[^-][^-]/.test(unsupportedFlag)) throw new Error(`${baseError}
- a short flag is a single dash and a single character
  - either use a single dash and a single character (for a short flag)
  - or use a double dash for a long option (and can have two, like '--ws, --workspace')`);
		if (shortFlagExp.test(unsupportedFlag)) throw new Error(`${baseError}
- too many short flags`);
		if (longFlagExp.test(unsupportedFlag)) throw new Error(`${baseError}
- too many long flags`);
		throw new Error(`${baseError}
- unrecognised flag format`);
	}
	if (shortFlag === void 0 && longFlag === void 0) throw new Error(`option creation failed due to no flags found in '${flags}'.`);
	return {
		shortFlag,
		longFlag
	};
}

// node_modules/commander/lib/suggestSimilar.js
const maxDistance = 3;
function editDistance(a, b) {
	if (Math.abs(a.length - b.length) > maxDistance) return Math.max(a.length, b.length);
	const d = [];
	for (let i = 0; i <= a.length; i++) d[i] = [i];
	for (let j = 0; j <= b.length; j++) d[0][j] = j;
	for (let j = 1; j <= b.length; j++) for (let i = 1; i <= a.length; i++) {
		let cost;
		if (a[i - 1] === b[j - 1]) cost = 0;
		else cost = 1;
		d[i][j] = Math.min(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + cost);
		if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
	}
	return d[a.length][b.length];
}
/**
* Find close matches, restricted to same number of edits.
*
* @param {string} word
* @param {string[]} candidates
* @returns {string}
*/
function suggestSimilar(word, candidates) {
	if (!candidates || candidates.length === 0) return "";
	candidates = Array.from(new Set(candidates));
	const searchingOptions = word.startsWith("--");
	if (searchingOptions) {
		word = word.slice(2);
		candidates = candidates.map((candidate) => candidate.slice(2));
	}
	let similar = [];
	let bestDistance = maxDistance;
	const minSimilarity = .4;
	candidates.forEach((candidate) => {
		if (candidate.length <= 1) return;
		const distance = editDistance(word, candidate);
		const length = Math.max(word.length, candidate.length);
		if ((length - distance) / length > minSimilarity) {
			if (distance < bestDistance) {
				bestDistance = distance;
				similar = [candidate];
			} else if (distance === bestDistance) similar.push(candidate);
		}
	});
	similar.sort((a, b) => a.localeCompare(b));
	if (searchingOptions) similar = similar.map((candidate) => `--${candidate}`);
	if (similar.length > 1) return `\n(Did you mean one of ${similar.join(", ")}?)`;
	if (similar.length === 1) return `\n(Did you mean ${similar[0]}?)`;
	return "";
}

// node_modules/commander/lib/command.js
var Command = class Command extends EventEmitter {
	/**
	* Initialize a new `Command`.
	*
	* @param {string} [name]
	*/
	constructor(name) {
		super();
		/** @type {Command[]} */
		this.commands = [];
		/** @type {Option[]} */
		this.options = [];
		this.parent = null;
		this._allowUnknownOption = false;
		this._allowExcessArguments = false;
		/** @type {Argument[]} */
		this.registeredArguments = [];
		this._args = this.registeredArguments;
		/** @type {string[]} */
		this.args = [];
		this.rawArgs = [];
		this.processedArgs = [];
		this._scriptPath = null;
		this._name = name || "";
		this._optionValues = {};
		this._optionValueSources = {};
		this._storeOptionsAsProperties = false;
		this._actionHandler = null;
		this._executableHandler = false;
		this._executableFile = null;
		this._executableDir = null;
		this._defaultCommandName = null;
		this._exitCallback = null;
		this._aliases = [];
		this._combineFlagAndOptionalValue = true;
		this._description = "";
		this._summary = "";
		this._argsDescription = void 0;
		this._enablePositionalOptions = false;
		this._passThroughOptions = false;
		this._lifeCycleHooks = {};
		/** @type {(boolean | string)} */
		this._showHelpAfterError = false;
		this._showSuggestionAfterError = true;
		this._savedState = null;
		this._outputConfiguration = {
			writeOut: (str) => process$1.stdout.write(str),
			writeErr: (str) => process$1.stderr.write(str),
			outputError: (str, write) => write(str),
			getOutHelpWidth: () => process$1.stdout.isTTY ? process$1.stdout.columns : void 0,
			getErrHelpWidth: () => process$1.stderr.isTTY ? process$1.stderr.columns : void 0,
			getOutHasColors: () => useColor() ?? (process$1.stdout.isTTY && process$1.stdout.hasColors?.()),
			getErrHasColors: () => useColor() ?? (process$1.stderr.isTTY && process$1.stderr.hasColors?.()),
			stripColor: (str) => stripVTControlCharacters(str)
		};
		this._hidden = false;
		/** @type {(Option | null | undefined)} */
		this._helpOption = void 0;
		this._addImplicitHelpCommand = void 0;
		/** @type {Command} */
		this._helpCommand = void 0;
		this._helpConfiguration = {};
		/** @type {string | undefined} */
		this._helpGroupHeading = void 0;
		/** @type {string | undefined} */
		this._defaultCommandGroup = void 0;
		/** @type {string | undefined} */
		this._defaultOptionGroup = void 0;
	}
	/**
	* Copy settings that are useful to have in common across root command and subcommands.
	*
	* (Used internally when adding a command using `.command()` so subcommands inherit parent settings.)
	*
	* @param {Command} sourceCommand
	* @return {Command} `this` command for chaining
	*/
	copyInheritedSettings(sourceCommand) {
		this._outputConfiguration = sourceCommand._outputConfiguration;
		this._helpOption = sourceCommand._helpOption;
		this._helpCommand = sourceCommand._helpCommand;
		this._helpConfiguration = sourceCommand._helpConfiguration;
		this._exitCallback = sourceCommand._exitCallback;
		this._storeOptionsAsProperties = sourceCommand._storeOptionsAsProperties;
		this._combineFlagAndOptionalValue = sourceCommand._combineFlagAndOptionalValue;
		this._allowExcessArguments = sourceCommand._allowExcessArguments;
		this._enablePositionalOptions = sourceCommand._enablePositionalOptions;
		this._showHelpAfterError = sourceCommand._showHelpAfterError;
		this._showSuggestionAfterError = sourceCommand._showSuggestionAfterError;
		return this;
	}
	/**
	* @returns {Command[]}
	* @private
	*/
	_getCommandAndAncestors() {
		const result = [];
		for (let command = this; command; command = command.parent) result.push(command);
		return result;
	}
	/**
	* Define a command.
	*
	* There are two styles of command: pay attention to where to put the description.
	*
	* @example
	* // Command implemented using action handler (description is supplied separately to `.command`)
	* program
	*   .command('clone <source> [destination]')
	*   .description('clone a repository into a newly created directory')
	*   .action((source, destination) => {
	*     console.log('clone command called');
	*   });
	*
	* // Command implemented using separate executable file (description is second parameter to `.command`)
	* program
	*   .command('start <service>', 'start named service')
	*   .command('stop [service]', 'stop named service, or all if no name supplied');
	*
	* @param {string} nameAndArgs - command name and arguments, args are `<required>` or `[optional]` and last may also be `variadic...`
	* @param {(object | string)} [actionOptsOrExecDesc] - configuration options (for action), or description (for executable)
	* @param {object} [execOpts] - configuration options (for executable)
	* @return {Command} returns new command for action handler, or `this` for executable command
	*/
	command(nameAndArgs, actionOptsOrExecDesc, execOpts) {
		let desc = actionOptsOrExecDesc;
		let opts = execOpts;
		if (typeof desc === "object" && desc !== null) {
			opts = desc;
			desc = null;
		}
		opts = opts || {};
		const [, name, args] = nameAndArgs.match(/([^ ]+) *(.*)/);
		const cmd = this.createCommand(name);
		if (desc) {
			cmd.description(desc);
			cmd._executableHandler = true;
		}
		if (opts.isDefault) this._defaultCommandName = cmd._name;
		cmd._hidden = !!(opts.noHelp || opts.hidden);
		cmd._executableFile = opts.executableFile || null;
		if (args) cmd.arguments(args);
		this._registerCommand(cmd);
		cmd.parent = this;
		cmd.copyInheritedSettings(this);
		if (desc) return this;
		return cmd;
	}
	/**
	* Factory routine to create a new unattached command.
	*
	* See .command() for creating an attached subcommand, which uses this routine to
	* create the command. You can override createCommand to customise subcommands.
	*
	* @param {string} [name]
	* @return {Command} new command
	*/
	createCommand(name) {
		return new Command(name);
	}
	/**
	* You can customise the help with a subclass of Help by overriding createHelp,
	* or by overriding Help properties using configureHelp().
	*
	* @return {Help}
	*/
	createHelp() {
		return Object.assign(new Help(), this.configureHelp());
	}
	/**
	* You can customise the help by overriding Help properties using configureHelp(),
	* or with a subclass of Help by overriding createHelp().
	*
	* @param {object} [configuration] - configuration options
	* @return {(Command | object)} `this` command for chaining, or stored configuration
	*/
	configureHelp(configuration) {
		if (configuration === void 0) return this._helpConfiguration;
		this._helpConfiguration = configuration;
		return this;
	}
	/**
	* The default output goes to stdout and stderr. You can customise this for special
	* applications. You can also customise the display of errors by overriding outputError.
	*
	* The configuration properties are all functions:
	*
	*     // change how output being written, defaults to stdout and stderr
	*     writeOut(str)
	*     writeErr(str)
	*     // change how output being written for errors, defaults to writeErr
	*     outputError(str, write) // used for displaying errors and not used for displaying help
	*     // specify width for wrapping help
	*     getOutHelpWidth()
	*     getErrHelpWidth()
	*     // color support, currently only used with Help
	*     getOutHasColors()
	*     getErrHasColors()
	*     stripColor() // used to remove ANSI escape codes if output does not have colors
	*
	* @param {object} [configuration] - configuration options
	* @return {(Command | object)} `this` command for chaining, or stored configuration
	*/
	configureOutput(configuration) {
		if (configuration === void 0) return this._outputConfiguration;
		this._outputConfiguration = {
			...this._outputConfiguration,
			...configuration
		};
		return this;
	}
	/**
	* Display the help or a custom message after an error occurs.
	*
	* @param {(boolean|string)} [displayHelp]
	* @return {Command} `this` command for chaining
	*/
	showHelpAfterError(displayHelp = true) {
		if (typeof displayHelp !== "string") displayHelp = !!displayHelp;
		this._showHelpAfterError = displayHelp;
		return this;
	}
	/**
	* Display suggestion of similar commands for unknown commands, or options for unknown options.
	*
	* @param {boolean} [displaySuggestion]
	* @return {Command} `this` command for chaining
	*/
	showSuggestionAfterError(displaySuggestion = true) {
		this._showSuggestionAfterError = !!displaySuggestion;
		return this;
	}
	/**
	* Add a prepared subcommand.
	*
	* See .command() for creating an attached subcommand which inherits settings from its parent.
	*
	* @param {Command} cmd - new subcommand
	* @param {object} [opts] - configuration options
	* @return {Command} `this` command for chaining
	*/
	addCommand(cmd, opts) {
		if (!cmd._name) throw new Error(`Command passed to .addCommand() must have a name
- specify the name in Command constructor or using .name()`);
		opts = opts || {};
		if (opts.isDefault) this._defaultCommandName = cmd._name;
		if (opts.noHelp || opts.hidden) cmd._hidden = true;
		this._registerCommand(cmd);
		cmd.parent = this;
		cmd._checkForBrokenPassThrough();
		return this;
	}
	/**
	* Factory routine to create a new unattached argument.
	*
	* See .argument() for creating an attached argument, which uses this routine to
	* create the argument. You can override createArgument to return a custom argument.
	*
	* @param {string} name
	* @param {string} [description]
	* @return {Argument} new argument
	*/
	createArgument(name, description) {
		return new Argument(name, description);
	}
	/**
	* Define argument syntax for command.
	*
	* The default is that the argument is required, and you can explicitly
	* indicate this with <> around the name. Put [] around the name for an optional argument.
	*
	* @example
	* program.argument('<input-file>');
	* program.argument('[output-file]');
	*
	* @param {string} name
	* @param {string} [description]
	* @param {(Function|*)} [parseArg] - custom argument processing function or default value
	* @param {*} [defaultValue]
	* @return {Command} `this` command for chaining
	*/
	argument(name, description, parseArg, defaultValue) {
		const argument = this.createArgument(name, description);
		if (typeof parseArg === "function") argument.default(defaultValue).argParser(parseArg);
		else argument.default(parseArg);
		this.addArgument(argument);
		return this;
	}
	/**
	* Define argument syntax for command, adding multiple at once (without descriptions).
	*
	* See also .argument().
	*
	* @example
	* program.arguments('<cmd> [env]');
	*
	* @param {string} names
	* @return {Command} `this` command for chaining
	*/
	arguments(names) {
		names.trim().split(/ +/).forEach((detail) => {
			this.argument(detail);
		});
		return this;
	}
	/**
	* Define argument syntax for command, adding a prepared argument.
	*
	* @param {Argument} argument
	* @return {Command} `this` command for chaining
	*/
	addArgument(argument) {
		const previousArgument = this.registeredArguments.slice(-1)[0];
		if (previousArgument?.variadic) throw new Error(`only the last argument can be variadic '${previousArgument.name()}'`);
		if (argument.required && argument.defaultValue !== void 0 && argument.parseArg === void 0) throw new Error(`a default value for a required argument is never used: '${argument.name()}'`);
		this.registeredArguments.push(argument);
		return this;
	}
	/**
	* Customise or override default help command. By default a help command is automatically added if your command has subcommands.
	*
	* @example
	*    program.helpCommand('help [cmd]');
	*    program.helpCommand('help [cmd]', 'show help');
	*    program.helpCommand(false); // suppress default help command
	*    program.helpCommand(true); // add help command even if no subcommands
	*
	* @param {string|boolean} enableOrNameAndArgs - enable with custom name and/or arguments, or boolean to override whether added
	* @param {string} [description] - custom description
	* @return {Command} `this` command for chaining
	*/
	helpCommand(enableOrNameAndArgs, description) {
		if (typeof enableOrNameAndArgs === "boolean") {
			this._addImplicitHelpCommand = enableOrNameAndArgs;
			if (enableOrNameAndArgs && this._defaultCommandGroup) this._initCommandGroup(this._getHelpCommand());
			return this;
		}
		const [, helpName, helpArgs] = (enableOrNameAndArgs ?? "help [command]").match(/([^ ]+) *(.*)/);
		const helpDescription = description ?? "display help for command";
		const helpCommand = this.createCommand(helpName);
		helpCommand.helpOption(false);
		if (helpArgs) helpCommand.arguments(helpArgs);
		if (helpDescription) helpCommand.description(helpDescription);
		this._addImplicitHelpCommand = true;
		this._helpCommand = helpCommand;
		if (enableOrNameAndArgs || description) this._initCommandGroup(helpCommand);
		return this;
	}
	/**
	* Add prepared custom help command.
	*
	* @param {(Command|string|boolean)} helpCommand - custom help command, or deprecated enableOrNameAndArgs as for `.helpCommand()`
	* @param {string} [deprecatedDescription] - deprecated custom description used with custom name only
	* @return {Command} `this` command for chaining
	*/
	addHelpCommand(helpCommand, deprecatedDescription) {
		if (typeof helpCommand !== "object") {
			this.helpCommand(helpCommand, deprecatedDescription);
			return this;
		}
		this._addImplicitHelpCommand = true;
		this._helpCommand = helpCommand;
		this._initCommandGroup(helpCommand);
		return this;
	}
	/**
	* Lazy create help command.
	*
	* @return {(Command|null)}
	* @package
	*/
	_getHelpCommand() {
		if (this._addImplicitHelpCommand ?? (this.commands.length && !this._actionHandler && !this._findCommand("help"))) {
			if (this._helpCommand === void 0) this.helpCommand(void 0, void 0);
			return this._helpCommand;
		}
		return null;
	}
	/**
	* Add hook for life cycle event.
	*
	* @param {string} event
	* @param {Function} listener
	* @return {Command} `this` command for chaining
	*/
	hook(event, listener) {
		const allowedValues = [
			"preSubcommand",
			"preAction",
			"postAction"
		];
		if (!allowedValues.includes(event)) throw new Error(`Unexpected value for event passed to hook : '${event}'.
Expecting one of '${allowedValues.join("', '")}'`);
		if (this._lifeCycleHooks[event]) this._lifeCycleHooks[event].push(listener);
		else this._lifeCycleHooks[event] = [listener];
		return this;
	}
	/**
	* Register callback to use as replacement for calling process.exit.
	*
	* @param {Function} [fn] optional callback which will be passed a CommanderError, defaults to throwing
	* @return {Command} `this` command for chaining
	*/
	exitOverride(fn) {
		if (fn) this._exitCallback = fn;
		else this._exitCallback = (err) => {
			if (err.code !== "commander.executeSubCommandAsync") throw err;
		};
		return this;
	}
	/**
	* Call process.exit, and _exitCallback if defined.
	*
	* @param {number} exitCode exit code for using with process.exit
	* @param {string} code an id string representing the error
	* @param {string} message human-readable description of the error
	* @return never
	* @private
	*/
	_exit(exitCode, code, message) {
		if (this._exitCallback) this._exitCallback(new CommanderError(exitCode, code, message));
		process$1.exit(exitCode);
	}
	/**
	* Register callback `fn` for the command.
	*
	* @example
	* program
	*   .command('serve')
	*   .description('start service')
	*   .action(function() {
	*      // do work here
	*   });
	*
	* @param {Function} fn
	* @return {Command} `this` command for chaining
	*/
	action(fn) {
		const listener = (args) => {
			const expectedArgsCount = this.registeredArguments.length;
			const actionArgs = args.slice(0, expectedArgsCount);
			if (this._storeOptionsAsProperties) actionArgs[expectedArgsCount] = this;
			else actionArgs[expectedArgsCount] = this.opts();
			actionArgs.push(this);
			return fn.apply(this, actionArgs);
		};
		this._actionHandler = listener;
		return this;
	}
	/**
	* Factory routine to create a new unattached option.
	*
	* See .option() for creating an attached option, which uses this routine to
	* create the option. You can override createOption to return a custom option.
	*
	* @param {string} flags
	* @param {string} [description]
	* @return {Option} new option
	*/
	createOption(flags, description) {
		return new Option(flags, description);
	}
	/**
	* Wrap parseArgs to catch 'commander.invalidArgument'.
	*
	* @param {(Option | Argument)} target
	* @param {string} value
	* @param {*} previous
	* @param {string} invalidArgumentMessage
	* @private
	*/
	_callParseArg(target, value, previous, invalidArgumentMessage) {
		try {
			return target.parseArg(value, previous);
		} catch (err) {
			if (err.code === "commander.invalidArgument") {
				const message = `${invalidArgumentMessage} ${err.message}`;
				this.error(message, {
					exitCode: err.exitCode,
					code: err.code
				});
			}
			throw err;
		}
	}
	/**
	* Check for option flag conflicts.
	* Register option if no conflicts found, or throw on conflict.
	*
	* @param {Option} option
	* @private
	*/
	_registerOption(option) {
		const matchingOption = option.short && this._findOption(option.short) || option.long && this._findOption(option.long);
		if (matchingOption) {
			const matchingFlag = option.long && this._findOption(option.long) ? option.long : option.short;
			throw new Error(`Cannot add option '${option.flags}'${this._name && ` to command '${this._name}'`} due to conflicting flag '${matchingFlag}'
-  already used by option '${matchingOption.flags}'`);
		}
		this._initOptionGroup(option);
		this.options.push(option);
	}
	/**
	* Check for command name and alias conflicts with existing commands.
	* Register command if no conflicts found, or throw on conflict.
	*
	* @param {Command} command
	* @private
	*/
	_registerCommand(command) {
		const knownBy = (cmd) => {
			return [cmd.name()].concat(cmd.aliases());
		};
		const alreadyUsed = knownBy(command).find((name) => this._findCommand(name));
		if (alreadyUsed) {
			const existingCmd = knownBy(this._findCommand(alreadyUsed)).join("|");
			const newCmd = knownBy(command).join("|");
			throw new Error(`cannot add command '${newCmd}' as already have command '${existingCmd}'`);
		}
		this._initCommandGroup(command);
		this.commands.push(command);
	}
	/**
	* Add an option.
	*
	* @param {Option} option
	* @return {Command} `this` command for chaining
	*/
	addOption(option) {
		this._registerOption(option);
		const oname = option.name();
		const name = option.attributeName();
		if (option.defaultValue !== void 0) this.setOptionValueWithSource(name, option.defaultValue, "default");
		const handleOptionValue = (val, invalidValueMessage, valueSource) => {
			if (val == null && option.presetArg !== void 0) val = option.presetArg;
			const oldValue = this.getOptionValue(name);
			if (val !== null && option.parseArg) val = this._callParseArg(option, val, oldValue, invalidValueMessage);
			else if (val !== null && option.variadic) val = option._collectValue(val, oldValue);
			if (val == null) {
				if (option.negate) val = false;
				else if (option.isBoolean() || option.optional) val = true;
				else val = "";
			}
			this.setOptionValueWithSource(name, val, valueSource);
		};
		this.on("option:" + oname, (val) => {
			const invalidValueMessage = `error: option '${option.flags}' argument '${val}' is invalid.`;
			handleOptionValue(val, invalidValueMessage, "cli");
		});
		if (option.envVar) this.on("optionEnv:" + oname, (val) => {
			const invalidValueMessage = `error: option '${option.flags}' value '${val}' from env '${option.envVar}' is invalid.`;
			handleOptionValue(val, invalidValueMessage, "env");
		});
		return this;
	}
	/**
	* Internal implementation shared by .option() and .requiredOption()
	*
	* @return {Command} `this` command for chaining
	* @private
	*/
	_optionEx(config, flags, description, fn, defaultValue) {
		if (typeof flags === "object" && flags instanceof Option) throw new Error("To add an Option object use addOption() instead of option() or requiredOption()");
		const option = this.createOption(flags, description);
		option.makeOptionMandatory(!!config.mandatory);
		if (typeof fn === "function") option.default(defaultValue).argParser(fn);
		else if (fn instanceof RegExp) {
			const regex = fn;
			fn = (val, def) => {
				const m = regex.exec(val);
				return m ? m[0] : def;
			};
			option.default(defaultValue).argParser(fn);
		} else option.default(fn);
		return this.addOption(option);
	}
	/**
	* Define option with `flags`, `description`, and optional argument parsing function or `defaultValue` or both.
	*
	* The `flags` string contains the short and/or long flags, separated by comma, a pipe or space. A required
	* option-argument is indicated by `<>` and an optional option-argument by `[]`.
	*
	* See the README for more details, and see also addOption() and requiredOption().
	*
	* @example
	* program
	*     .option('-p, --pepper', 'add pepper')
	*     .option('--pt, --pizza-type <TYPE>', 'type of pizza') // required option-argument
	*     .option('-c, --cheese [CHEESE]', 'add extra cheese', 'mozzarella') // optional option-argument with default
	*     .option('-t, --tip <VALUE>', 'add tip to purchase cost', parseFloat) // custom parse function
	*
	* @param {string} flags
	* @param {string} [description]
	* @param {(Function|*)} [parseArg] - custom option processing function or default value
	* @param {*} [defaultValue]
	* @return {Command} `this` command for chaining
	*/
	option(flags, description, parseArg, defaultValue) {
		return this._optionEx({}, flags, description, parseArg, defaultValue);
	}
	/**
	* Add a required option which must have a value after parsing. This usually means
	* the option must be specified on the command line. (Otherwise the same as .option().)
	*
	* The `flags` string contains the short and/or long flags, separated by comma, a pipe or space.
	*
	* @param {string} flags
	* @param {string} [description]
	* @param {(Function|*)} [parseArg] - custom option processing function or default value
	* @param {*} [defaultValue]
	* @return {Command} `this` command for chaining
	*/
	requiredOption(flags, description, parseArg, defaultValue) {
		return this._optionEx({ mandatory: true }, flags, description, parseArg, defaultValue);
	}
	/**
	* Alter parsing of short flags with optional values.
	*
	* @example
	* // for `.option('-f,--flag [value]'):
	* program.combineFlagAndOptionalValue(true);  // `-f80` is treated like `--flag=80`, this is the default behaviour
	* program.combineFlagAndOptionalValue(false) // `-fb` is treated like `-f -b`
	*
	* @param {boolean} [combine] - if `true` or omitted, an optional value can be specified directly after the flag.
	* @return {Command} `this` command for chaining
	*/
	combineFlagAndOptionalValue(combine = true) {
		this._combineFlagAndOptionalValue = !!combine;
		return this;
	}
	/**
	* Allow unknown options on the command line.
	*
	* @param {boolean} [allowUnknown] - if `true` or omitted, no error will be thrown for unknown options.
	* @return {Command} `this` command for chaining
	*/
	allowUnknownOption(allowUnknown = true) {
		this._allowUnknownOption = !!allowUnknown;
		return this;
	}
	/**
	* Allow excess command-arguments on the command line. Pass false to make excess arguments an error.
	*
	* @param {boolean} [allowExcess] - if `true` or omitted, no error will be thrown for excess arguments.
	* @return {Command} `this` command for chaining
	*/
	allowExcessArguments(allowExcess = true) {
		this._allowExcessArguments = !!allowExcess;
		return this;
	}
	/**
	* Enable positional options. Positional means global options are specified before subcommands which lets
	* subcommands reuse the same option names, and also enables subcommands to turn on passThroughOptions.
	* The default behaviour is non-positional and global options may appear anywhere on the command line.
	*
	* @param {boolean} [positional]
	* @return {Command} `this` command for chaining
	*/
	enablePositionalOptions(positional = true) {
		this._enablePositionalOptions = !!positional;
		return this;
	}
	/**
	* Pass through options that come after command-arguments rather than treat them as command-options,
	* so actual command-options come before command-arguments. Turning this on for a subcommand requires
	* positional options to have been enabled on the program (parent commands).
	* The default behaviour is non-positional and options may appear before or after command-arguments.
	*
	* @param {boolean} [passThrough] for unknown options.
	* @return {Command} `this` command for chaining
	*/
	passThroughOptions(passThrough = true) {
		this._passThroughOptions = !!passThrough;
		this._checkForBrokenPassThrough();
		return this;
	}
	/**
	* @private
	*/
	_checkForBrokenPassThrough() {
		if (this.parent && this._passThroughOptions && !this.parent._enablePositionalOptions) throw new Error(`passThroughOptions cannot be used for '${this._name}' without turning on enablePositionalOptions for parent command(s)`);
	}
	/**
	* Whether to store option values as properties on command object,
	* or store separately (specify false). In both cases the option values can be accessed using .opts().
	*
	* @param {boolean} [storeAsProperties=true]
	* @return {Command} `this` command for chaining
	*/
	storeOptionsAsProperties(storeAsProperties = true) {
		if (this.options.length) throw new Error("call .storeOptionsAsProperties() before adding options");
		if (Object.keys(this._optionValues).length) throw new Error("call .storeOptionsAsProperties() before setting option values");
		this._storeOptionsAsProperties = !!storeAsProperties;
		return this;
	}
	/**
	* Retrieve option value.
	*
	* @param {string} key
	* @return {object} value
	*/
	getOptionValue(key) {
		if (this._storeOptionsAsProperties) return this[key];
		return this._optionValues[key];
	}
	/**
	* Store option value.
	*
	* @param {string} key
	* @param {object} value
	* @return {Command} `this` command for chaining
	*/
	setOptionValue(key, value) {
		return this.setOptionValueWithSource(key, value, void 0);
	}
	/**
	* Store option value and where the value came from.
	*
	* @param {string} key
	* @param {object} value
	* @param {string} source - expected values are default/config/env/cli/implied
	* @return {Command} `this` command for chaining
	*/
	setOptionValueWithSource(key, value, source) {
		if (this._storeOptionsAsProperties) this[key] = value;
		else this._optionValues[key] = value;
		this._optionValueSources[key] = source;
		return this;
	}
	/**
	* Get source of option value.
	* Expected values are default | config | env | cli | implied
	*
	* @param {string} key
	* @return {string}
	*/
	getOptionValueSource(key) {
		return this._optionValueSources[key];
	}
	/**
	* Get source of option value. See also .optsWithGlobals().
	* Expected values are default | config | env | cli | implied
	*
	* @param {string} key
	* @return {string}
	*/
	getOptionValueSourceWithGlobals(key) {
		let source;
		this._getCommandAndAncestors().forEach((cmd) => {
			if (Object.hasOwn(cmd._optionValueSources, key)) source = cmd.getOptionValueSource(key);
		});
		return source;
	}
	/**
	* Get user arguments from implied or explicit arguments.
	* Side-effects: set _scriptPath if args included script. Used for default program name, and subcommand searches.
	*
	* @private
	*/
	_prepareUserArgs(argv, parseOptions) {
		if (argv !== void 0 && !Array.isArray(argv)) throw new Error("first parameter to parse must be array or undefined");
		parseOptions = parseOptions || {};
		if (argv === void 0 && parseOptions.from === void 0) {
			if (process$1.versions?.electron) parseOptions.from = "electron";
			const execArgv = process$1.execArgv ?? [];
			if (execArgv.includes("-e") || execArgv.includes("--eval") || execArgv.includes("-p") || execArgv.includes("--print")) parseOptions.from = "eval";
		}
		if (argv === void 0) argv = process$1.argv;
		this.rawArgs = argv.slice();
		let userArgs;
		switch (parseOptions.from) {
			case void 0:
			case "node":
				this._scriptPath = argv[1];
				userArgs = argv.slice(2);
				break;
			case "electron":
				if (process$1.defaultApp) {
					this._scriptPath = argv[1];
					userArgs = argv.slice(2);
				} else userArgs = argv.slice(1);
				break;
			case "user":
				userArgs = argv.slice(0);
				break;
			case "eval":
				userArgs = argv.slice(1);
				break;
			default: throw new Error(`unexpected parse option { from: '${parseOptions.from}' }`);
		}
		if (!this._name && this._scriptPath) this.nameFromFilename(this._scriptPath);
		this._name = this._name || "program";
		return userArgs;
	}
	/**
	* Parse `argv`, setting options and invoking commands when defined.
	*
	* Use parseAsync instead of parse if any of your action handlers are async.
	*
	* Call with no parameters to parse `process.argv`. Detects Electron and special node options like `node --eval`. Easy mode!
	*
	* Or call with an array of strings to parse, and optionally where the user arguments start by specifying where the arguments are `from`:
	* - `'node'`: default, `argv[0]` is the application and `argv[1]` is the script being run, with user arguments after that
	* - `'electron'`: `argv[0]` is the application and `argv[1]` varies depending on whether the electron application is packaged
	* - `'user'`: just user arguments
	*
	* @example
	* program.parse(); // parse process.argv and auto-detect electron and special node flags
	* program.parse(process.argv); // assume argv[0] is app and argv[1] is script
	* program.parse(my-args, { from: 'user' }); // just user supplied arguments, nothing special about argv[0]
	*
	* @param {string[]} [argv] - optional, defaults to process.argv
	* @param {object} [parseOptions] - optionally specify style of options with from: node/user/electron
	* @param {string} [parseOptions.from] - where the args are from: 'node', 'user', 'electron'
	* @return {Command} `this` command for chaining
	*/
	parse(argv, parseOptions) {
		this._prepareForParse();
		const userArgs = this._prepareUserArgs(argv, parseOptions);
		this._parseCommand([], userArgs);
		return this;
	}
	/**
	* Parse `argv`, setting options and invoking commands when defined.
	*
	* Call with no parameters to parse `process.argv`. Detects Electron and special node options like `node --eval`. Easy mode!
	*
	* Or call with an array of strings to parse, and optionally where the user arguments start by specifying where the arguments are `from`:
	* - `'node'`: default, `argv[0]` is the application and `argv[1]` is the script being run, with user arguments after that
	* - `'electron'`: `argv[0]` is the application and `argv[1]` varies depending on whether the electron application is packaged
	* - `'user'`: just user arguments
	*
	* @example
	* await program.parseAsync(); // parse process.argv and auto-detect electron and special node flags
	* await program.parseAsync(process.argv); // assume argv[0] is app and argv[1] is script
	* await program.parseAsync(my-args, { from: 'user' }); // just user supplied arguments, nothing special about argv[0]
	*
	* @param {string[]} [argv]
	* @param {object} [parseOptions]
	* @param {string} parseOptions.from - where the args are from: 'node', 'user', 'electron'
	* @return {Promise}
	*/
	async parseAsync(argv, parseOptions) {
		this._prepareForParse();
		const userArgs = this._prepareUserArgs(argv, parseOptions);
		await this._parseCommand([], userArgs);
		return this;
	}
	_prepareForParse() {
		if (this._savedState === null) {
			this.options.filter((option) => option.negate && option.defaultValue === void 0 && this.getOptionValue(option.attributeName()) === void 0).forEach((option) => {
				const positiveLongFlag = option.long.replace(/^--no-/, "--");
				if (!this._findOption(positiveLongFlag)) this.setOptionValueWithSource(option.attributeName(), true, "default");
			});
			this.saveStateBeforeParse();
		} else this.restoreStateBeforeParse();
	}
	/**
	* Called the first time parse is called to save state and allow a restore before subsequent calls to parse.
	* Not usually called directly, but available for subclasses to save their custom state.
	*
	* This is called in a lazy way. Only commands used in parsing chain will have state saved.
	*/
	saveStateBeforeParse() {
		this._savedState = {
			_name: this._name,
			_optionValues: { ...this._optionValues },
			_optionValueSources: { ...this._optionValueSources }
		};
	}
	/**
	* Restore state before parse for calls after the first.
	* Not usually called directly, but available for subclasses to save their custom state.
	*
	* This is called in a lazy way. Only commands used in parsing chain will have state restored.
	*/
	restoreStateBeforeParse() {
		if (this._storeOptionsAsProperties) throw new Error(`Can not call parse again when storeOptionsAsProperties is true.
- either make a new Command for each call to parse, or stop storing options as properties`);
		this._name = this._savedState._name;
		this._scriptPath = null;
		this.rawArgs = [];
		this._optionValues = { ...this._savedState._optionValues };
		this._optionValueSources = { ...this._savedState._optionValueSources };
		this.args = [];
		this.processedArgs = [];
	}
	/**
	* Throw if expected executable is missing. Add lots of help for author.
	*
	* @param {string} executableFile
	* @param {string} executableDir
	* @param {string} subcommandName
	*/
	_checkForMissingExecutable(executableFile, executableDir, subcommandName) {
		if (fs.existsSync(executableFile)) return;
		const executableMissing = `'${executableFile}' does not exist
 - if '${subcommandName}' is not meant to be an executable command, remove description parameter from '.command()' and use '.description()' instead
 - if the default executable name is not suitable, use the executableFile option to supply a custom name or path
 - ${executableDir ? `searched for local subcommand relative to directory '${executableDir}'` : "no directory for search for local subcommand, use .executableDir() to supply a custom directory"}`;
		throw new Error(executableMissing);
	}
	/**
	* Execute a sub-command executable.
	*
	* @private
	*/
	_executeSubCommand(subcommand, args) {
		args = args.slice();
		const sourceExt = [
			".js",
			".ts",
			".tsx",
			".mjs",
			".cjs"
		];
		function findFile(baseDir, baseName) {
			const localBin = path.resolve(baseDir, baseName);
			if (fs.existsSync(localBin)) return localBin;
			if (sourceExt.includes(path.extname(baseName))) return void 0;
			const foundExt = sourceExt.find((ext) => fs.existsSync(`${localBin}${ext}`));
			if (foundExt) return `${localBin}${foundExt}`;
		}
		this._checkForMissingMandatoryOptions();
		this._checkForConflictingOptions();
		let executableFile = subcommand._executableFile || `${this._name}-${subcommand._name}`;
		let executableDir = this._executableDir || "";
		if (this._scriptPath) {
			let resolvedScriptPath;
			try {
				resolvedScriptPath = fs.realpathSync(this._scriptPath);
			} catch {
				resolvedScriptPath = this._scriptPath;
			}
			executableDir = path.resolve(path.dirname(resolvedScriptPath), executableDir);
		}
		if (executableDir) {
			let localFile = findFile(executableDir, executableFile);
			if (!localFile && !subcommand._executableFile && this._scriptPath) {
				const legacyName = path.basename(this._scriptPath, path.extname(this._scriptPath));
				if (legacyName !== this._name) localFile = findFile(executableDir, `${legacyName}-${subcommand._name}`);
			}
			executableFile = localFile || executableFile;
		}
		const launchWithNode = sourceExt.includes(path.extname(executableFile));
		let proc;
		if (process$1.platform !== "win32") {
			if (launchWithNode) {
				args.unshift(executableFile);
				args = incrementNodeInspectorPort(process$1.execArgv).concat(args);
				proc = childProcess.spawn(process$1.argv[0], args, { stdio: "inherit" });
			} else proc = childProcess.spawn(executableFile, args, { stdio: "inherit" });
		} else {
			this._checkForMissingExecutable(executableFile, executableDir, subcommand._name);
			args.unshift(executableFile);
			args = incrementNodeInspectorPort(process$1.execArgv).concat(args);
			proc = childProcess.spawn(process$1.execPath, args, { stdio: "inherit" });
		}
		if (!proc.killed) [
			"SIGUSR1",
			"SIGUSR2",
			"SIGTERM",
			"SIGINT",
			"SIGHUP"
		].forEach((signal) => {
			process$1.on(signal, () => {
				if (proc.killed === false && proc.exitCode === null) proc.kill(signal);
			});
		});
		const exitCallback = this._exitCallback;
		proc.on("close", (code) => {
			code = code ?? 1;
			if (!exitCallback) process$1.exit(code);
			else exitCallback(new CommanderError(code, "commander.executeSubCommandAsync", "(close)"));
		});
		proc.on("error", (err) => {
			if (err.code === "ENOENT") this._checkForMissingExecutable(executableFile, executableDir, subcommand._name);
			else if (err.code === "EACCES") throw new Error(`'${executableFile}' not executable`);
			if (!exitCallback) process$1.exit(1);
			else {
				const wrappedError = new CommanderError(1, "commander.executeSubCommandAsync", "(error)");
				wrappedError.nestedError = err;
				exitCallback(wrappedError);
			}
		});
		this.runningCommand = proc;
	}
	/**
	* @private
	*/
	_dispatchSubcommand(commandName, operands, unknown) {
		const subCommand = this._findCommand(commandName);
		if (!subCommand) this.help({ error: true });
		subCommand._prepareForParse();
		let promiseChain;
		promiseChain = this._chainOrCallSubCommandHook(promiseChain, subCommand, "preSubcommand");
		promiseChain = this._chainOrCall(promiseChain, () => {
			if (subCommand._executableHandler) this._executeSubCommand(subCommand, operands.concat(unknown));
			else return subCommand._parseCommand(operands, unknown);
		});
		return promiseChain;
	}
	/**
	* Invoke help directly if possible, or dispatch if necessary.
	* e.g. help foo
	*
	* @private
	*/
	_dispatchHelpCommand(subcommandName) {
		if (!subcommandName) this.help();
		const subCommand = this._findCommand(subcommandName);
		if (subCommand && !subCommand._executableHandler) subCommand.help();
		return this._dispatchSubcommand(subcommandName, [], [this._getHelpOption()?.long ?? this._getHelpOption()?.short ?? "--help"]);
	}
	/**
	* Check this.args against expected this.registeredArguments.
	*
	* @private
	*/
	_checkNumberOfArguments() {
		this.registeredArguments.forEach((arg, i) => {
			if (arg.required && this.args[i] == null) this.missingArgument(arg.name());
		});
		if (this.registeredArguments.length > 0 && this.registeredArguments[this.registeredArguments.length - 1].variadic) return;
		if (this.args.length > this.registeredArguments.length) this._excessArguments(this.args);
	}
	/**
	* Process this.args using this.registeredArguments and save as this.processedArgs!
	*
	* @private
	*/
	_processArguments() {
		const myParseArg = (argument, value, previous) => {
			let parsedValue = value;
			if (value !== null && argument.parseArg) {
				const invalidValueMessage = `error: command-argument value '${value}' is invalid for argument '${argument.name()}'.`;
				parsedValue = this._callParseArg(argument, value, previous, invalidValueMessage);
			}
			return parsedValue;
		};
		this._checkNumberOfArguments();
		const processedArgs = [];
		this.registeredArguments.forEach((declaredArg, index) => {
			let value = declaredArg.defaultValue;
			if (declaredArg.variadic) {
				if (index < this.args.length) {
					value = this.args.slice(index);
					if (declaredArg.parseArg) value = value.reduce((processed, v) => {
						return myParseArg(declaredArg, v, processed);
					}, declaredArg.defaultValue);
				} else if (value === void 0) value = [];
			} else if (index < this.args.length) {
				value = this.args[index];
				if (declaredArg.parseArg) value = myParseArg(declaredArg, value, declaredArg.defaultValue);
			}
			processedArgs[index] = value;
		});
		this.processedArgs = processedArgs;
	}
	/**
	* Once we have a promise we chain, but call synchronously until then.
	*
	* @param {(Promise|undefined)} promise
	* @param {Function} fn
	* @return {(Promise|undefined)}
	* @private
	*/
	_chainOrCall(promise, fn) {
		if (promise?.then && typeof promise.then === "function") return promise.then(() => fn());
		return fn();
	}
	/**
	*
	* @param {(Promise|undefined)} promise
	* @param {string} event
	* @return {(Promise|undefined)}
	* @private
	*/
	_chainOrCallHooks(promise, event) {
		let result = promise;
		const hooks = [];
		this._getCommandAndAncestors().reverse().filter((cmd) => cmd._lifeCycleHooks[event] !== void 0).forEach((hookedCommand) => {
			hookedCommand._lifeCycleHooks[event].forEach((callback) => {
				hooks.push({
					hookedCommand,
					callback
				});
			});
		});
		if (event === "postAction") hooks.reverse();
		hooks.forEach((hookDetail) => {
			result = this._chainOrCall(result, () => {
				return hookDetail.callback(hookDetail.hookedCommand, this);
			});
		});
		return result;
	}
	/**
	*
	* @param {(Promise|undefined)} promise
	* @param {Command} subCommand
	* @param {string} event
	* @return {(Promise|undefined)}
	* @private
	*/
	_chainOrCallSubCommandHook(promise, subCommand, event) {
		let result = promise;
		if (this._lifeCycleHooks[event] !== void 0) this._lifeCycleHooks[event].forEach((hook) => {
			result = this._chainOrCall(result, () => {
				return hook(this, subCommand);
			});
		});
		return result;
	}
	/**
	* Process arguments in context of this command.
	* Returns action result, in case it is a promise.
	*
	* @private
	*/
	_parseCommand(operands, unknown) {
		const parsed = this.parseOptions(unknown);
		this._parseOptionsEnv();
		this._parseOptionsImplied();
		operands = operands.concat(parsed.operands);
		unknown = parsed.unknown;
		this.args = operands.concat(unknown);
		if (operands && this._findCommand(operands[0])) return this._dispatchSubcommand(operands[0], operands.slice(1), unknown);
		if (this._getHelpCommand() && operands[0] === this._getHelpCommand().name()) return this._dispatchHelpCommand(operands[1]);
		if (this._defaultCommandName) {
			this._outputHelpIfRequested(unknown);
			return this._dispatchSubcommand(this._defaultCommandName, operands, unknown);
		}
		if (this.commands.length && this.args.length === 0 && !this._actionHandler && !this._defaultCommandName) this.help({ error: true });
		this._outputHelpIfRequested(parsed.unknown);
		this._checkForMissingMandatoryOptions();
		this._checkForConflictingOptions();
		const checkForUnknownOptions = () => {
			if (parsed.unknown.length > 0) this.unknownOption(parsed.unknown[0]);
		};
		const commandEvent = `command:${this.name()}`;
		if (this._actionHandler) {
			checkForUnknownOptions();
			this._processArguments();
			let promiseChain;
			promiseChain = this._chainOrCallHooks(promiseChain, "preAction");
			promiseChain = this._chainOrCall(promiseChain, () => this._actionHandler(this.processedArgs));
			if (this.parent) promiseChain = this._chainOrCall(promiseChain, () => {
				this.parent.emit(commandEvent, operands, unknown);
			});
			promiseChain = this._chainOrCallHooks(promiseChain, "postAction");
			return promiseChain;
		}
		if (this.parent?.listenerCount(commandEvent)) {
			checkForUnknownOptions();
			this._processArguments();
			this.parent.emit(commandEvent, operands, unknown);
		} else if (operands.length) {
			if (this._findCommand("*")) return this._dispatchSubcommand("*", operands, unknown);
			if (this.listenerCount("command:*")) this.emit("command:*", operands, unknown);
			else if (this.commands.length) this.unknownCommand();
			else {
				checkForUnknownOptions();
				this._processArguments();
			}
		} else if (this.commands.length) {
			checkForUnknownOptions();
			this.help({ error: true });
		} else {
			checkForUnknownOptions();
			this._processArguments();
		}
	}
	/**
	* Find matching command.
	*
	* @private
	* @return {Command | undefined}
	*/
	_findCommand(name) {
		if (!name) return void 0;
		return this.commands.find((cmd) => cmd._name === name || cmd._aliases.includes(name));
	}
	/**
	* Return an option matching `arg` if any.
	*
	* @param {string} arg
	* @return {Option}
	* @package
	*/
	_findOption(arg) {
		return this.options.find((option) => option.is(arg));
	}
	/**
	* Display an error message if a mandatory option does not have a value.
	* Called after checking for help flags in leaf subcommand.
	*
	* @private
	*/
	_checkForMissingMandatoryOptions() {
		this._getCommandAndAncestors().forEach((cmd) => {
			cmd.options.forEach((anOption) => {
				if (anOption.mandatory && cmd.getOptionValue(anOption.attributeName()) === void 0) cmd.missingMandatoryOptionValue(anOption);
			});
		});
	}
	/**
	* Display an error message if conflicting options are used together in this.
	*
	* @private
	*/
	_checkForConflictingLocalOptions() {
		const definedNonDefaultOptions = this.options.filter((option) => {
			const optionKey = option.attributeName();
			if (this.getOptionValue(optionKey) === void 0) return false;
			return this.getOptionValueSource(optionKey) !== "default";
		});
		definedNonDefaultOptions.filter((option) => option.conflictsWith.length > 0).forEach((option) => {
			const conflictingAndDefined = definedNonDefaultOptions.find((defined) => option.conflictsWith.includes(defined.attributeName()));
			if (conflictingAndDefined) this._conflictingOption(option, conflictingAndDefined);
		});
	}
	/**
	* Display an error message if conflicting options are used together.
	* Called after checking for help flags in leaf subcommand.
	*
	* @private
	*/
	_checkForConflictingOptions() {
		this._getCommandAndAncestors().forEach((cmd) => {
			cmd._checkForConflictingLocalOptions();
		});
	}
	/**
	* Parse options from `argv` removing known options,
	* and return argv split into operands and unknown arguments.
	*
	* Side effects: modifies command by storing options. Does not reset state if called again.
	*
	* Examples:
	*
	*     argv => operands, unknown
	*     --known kkk op => [op], []
	*     op --known kkk => [op], []
	*     sub --unknown uuu op => [sub], [--unknown uuu op]
	*     sub -- --unknown uuu op => [sub --unknown uuu op], []
	*
	* @param {string[]} args
	* @return {{operands: string[], unknown: string[]}}
	*/
	parseOptions(args) {
		const operands = [];
		const unknown = [];
		let dest = operands;
		function maybeOption(arg) {
			return arg.length > 1 && arg[0] === "-";
		}
		const negativeNumberArg = (arg) => {
			if (!/^-(\d+|\d*\.\d+)([eE][+-]?\d+)?$/.test(arg)) return false;
			return !this._getCommandAndAncestors().some((cmd) => cmd.options.map((opt) => opt.short).some((short) => /^-\d$/.test(short)));
		};
		let activeVariadicOption = null;
		let activeGroup = null;
		let i = 0;
		while (i < args.length || activeGroup) {
			const arg = activeGroup ?? args[i++];
			activeGroup = null;
			if (arg === "--") {
				if (dest === unknown) dest.push(arg);
				dest.push(...args.slice(i));
				break;
			}
			if (activeVariadicOption && (!maybeOption(arg) || negativeNumberArg(arg))) {
				this.emit(`option:${activeVariadicOption.name()}`, arg);
				continue;
			}
			activeVariadicOption = null;
			if (maybeOption(arg)) {
				const option = this._findOption(arg);
				if (option) {
					if (option.required) {
						const value = args[i++];
						if (value === void 0) this.optionMissingArgument(option);
						this.emit(`option:${option.name()}`, value);
					} else if (option.optional) {
						let value = null;
						if (i < args.length && (!maybeOption(args[i]) || negativeNumberArg(args[i]))) value = args[i++];
						this.emit(`option:${option.name()}`, value);
					} else this.emit(`option:${option.name()}`);
					activeVariadicOption = option.variadic ? option : null;
					continue;
				}
			}
			if (arg.length > 2 && arg[0] === "-" && arg[1] !== "-") {
				const option = this._findOption(`-${arg[1]}`);
				if (option) {
					if (option.required || option.optional && this._combineFlagAndOptionalValue) this.emit(`option:${option.name()}`, arg.slice(2));
					else {
						this.emit(`option:${option.name()}`);
						activeGroup = `-${arg.slice(2)}`;
					}
					continue;
				}
			}
			if (/^--[^=]+=/.test(arg)) {
				const index = arg.indexOf("=");
				const option = this._findOption(arg.slice(0, index));
				if (option && (option.required || option.optional)) {
					this.emit(`option:${option.name()}`, arg.slice(index + 1));
					continue;
				}
			}
			if (dest === operands && maybeOption(arg) && !(this.commands.length === 0 && negativeNumberArg(arg))) dest = unknown;
			if ((this._enablePositionalOptions || this._passThroughOptions) && operands.length === 0 && unknown.length === 0) {
				if (this._findCommand(arg)) {
					operands.push(arg);
					unknown.push(...args.slice(i));
					break;
				} else if (this._getHelpCommand() && arg === this._getHelpCommand().name()) {
					operands.push(arg, ...args.slice(i));
					break;
				} else if (this._defaultCommandName) {
					unknown.push(arg, ...args.slice(i));
					break;
				}
			}
			if (this._passThroughOptions) {
				dest.push(arg, ...args.slice(i));
				break;
			}
			dest.push(arg);
		}
		return {
			operands,
			unknown
		};
	}
	/**
	* Return an object containing local option values as key-value pairs.
	*
	* @return {object}
	*/
	opts() {
		if (this._storeOptionsAsProperties) {
			const result = {};
			const len = this.options.length;
			for (let i = 0; i < len; i++) {
				const key = this.options[i].attributeName();
				result[key] = key === this._versionOptionName ? this._version : this[key];
			}
			return result;
		}
		return this._optionValues;
	}
	/**
	* Return an object containing merged local and global option values as key-value pairs.
	*
	* @return {object}
	*/
	optsWithGlobals() {
		return this._getCommandAndAncestors().reduce((combinedOptions, cmd) => Object.assign(combinedOptions, cmd.opts()), {});
	}
	/**
	* Display error message and exit (or call exitOverride).
	*
	* @param {string} message
	* @param {object} [errorOptions]
	* @param {string} [errorOptions.code] - an id string representing the error
	* @param {number} [errorOptions.exitCode] - used with process.exit
	*/
	error(message, errorOptions) {
		this._outputConfiguration.outputError(`${message}\n`, this._outputConfiguration.writeErr);
		if (typeof this._showHelpAfterError === "string") this._outputConfiguration.writeErr(`${this._showHelpAfterError}\n`);
		else if (this._showHelpAfterError) {
			this._outputConfiguration.writeErr("\n");
			this.outputHelp({ error: true });
		}
		const config = errorOptions || {};
		const exitCode = config.exitCode || 1;
		const code = config.code || "commander.error";
		this._exit(exitCode, code, message);
	}
	/**
	* Apply any option related environment variables, if option does
	* not have a value from cli or client code.
	*
	* @private
	*/
	_parseOptionsEnv() {
		this.options.forEach((option) => {
			if (option.envVar && option.envVar in process$1.env) {
				const optionKey = option.attributeName();
				if (this.getOptionValue(optionKey) === void 0 || [
					"default",
					"config",
					"env"
				].includes(this.getOptionValueSource(optionKey))) {
					if (option.required || option.optional) this.emit(`optionEnv:${option.name()}`, process$1.env[option.envVar]);
					else this.emit(`optionEnv:${option.name()}`);
				}
			}
		});
	}
	/**
	* Apply any implied option values, if option is undefined or default value.
	*
	* @private
	*/
	_parseOptionsImplied() {
		const dualHelper = new DualOptions(this.options);
		const hasCustomOptionValue = (optionKey) => {
			return this.getOptionValue(optionKey) !== void 0 && !["default", "implied"].includes(this.getOptionValueSource(optionKey));
		};
		this.options.filter((option) => option.implied !== void 0 && hasCustomOptionValue(option.attributeName()) && dualHelper.valueFromOption(this.getOptionValue(option.attributeName()), option)).forEach((option) => {
			Object.keys(option.implied).filter((impliedKey) => !hasCustomOptionValue(impliedKey)).forEach((impliedKey) => {
				this.setOptionValueWithSource(impliedKey, option.implied[impliedKey], "implied");
			});
		});
	}
	/**
	* Argument `name` is missing.
	*
	* @param {string} name
	* @private
	*/
	missingArgument(name) {
		const message = `error: missing required argument '${name}'`;
		this.error(message, { code: "commander.missingArgument" });
	}
	/**
	* `Option` is missing an argument.
	*
	* @param {Option} option
	* @private
	*/
	optionMissingArgument(option) {
		const message = `error: option '${option.flags}' argument missing`;
		this.error(message, { code: "commander.optionMissingArgument" });
	}
	/**
	* `Option` does not have a value, and is a mandatory option.
	*
	* @param {Option} option
	* @private
	*/
	missingMandatoryOptionValue(option) {
		const message = `error: required option '${option.flags}' not specified`;
		this.error(message, { code: "commander.missingMandatoryOptionValue" });
	}
	/**
	* `Option` conflicts with another option.
	*
	* @param {Option} option
	* @param {Option} conflictingOption
	* @private
	*/
	_conflictingOption(option, conflictingOption) {
		const findBestOptionFromValue = (option) => {
			const optionKey = option.attributeName();
			const optionValue = this.getOptionValue(optionKey);
			const negativeOption = this.options.find((target) => target.negate && optionKey === target.attributeName());
			const positiveOption = this.options.find((target) => !target.negate && optionKey === target.attributeName());
			if (negativeOption && (negativeOption.presetArg === void 0 && optionValue === false || negativeOption.presetArg !== void 0 && optionValue === negativeOption.presetArg)) return negativeOption;
			return positiveOption || option;
		};
		const getErrorMessage = (option) => {
			const bestOption = findBestOptionFromValue(option);
			const optionKey = bestOption.attributeName();
			if (this.getOptionValueSource(optionKey) === "env") return `environment variable '${bestOption.envVar}'`;
			return `option '${bestOption.flags}'`;
		};
		const message = `error: ${getErrorMessage(option)} cannot be used with ${getErrorMessage(conflictingOption)}`;
		this.error(message, { code: "commander.conflictingOption" });
	}
	/**
	* Unknown option `flag`.
	*
	* @param {string} flag
	* @private
	*/
	unknownOption(flag) {
		if (this._allowUnknownOption) return;
		let suggestion = "";
		if (flag.startsWith("--") && this._showSuggestionAfterError) {
			let candidateFlags = [];
			let command = this;
			do {
				const moreFlags = command.createHelp().visibleOptions(command).filter((option) => option.long).map((option) => option.long);
				candidateFlags = candidateFlags.concat(moreFlags);
				command = command.parent;
			} while (command && !command._enablePositionalOptions);
			suggestion = suggestSimilar(flag, candidateFlags);
		}
		const message = `error: unknown option '${flag}'${suggestion}`;
		this.error(message, { code: "commander.unknownOption" });
	}
	/**
	* Excess arguments, more than expected.
	*
	* @param {string[]} receivedArgs
	* @private
	*/
	_excessArguments(receivedArgs) {
		if (this._allowExcessArguments) return;
		const expected = this.registeredArguments.length;
		const s = expected === 1 ? "" : "s";
		const received = receivedArgs.length;
		const message = `error: too many arguments${this.parent ? ` for '${this.name()}'` : ""}. Expected ${expected} argument${s} but got ${received}: ${receivedArgs.join(", ")}.`;
		this.error(message, { code: "commander.excessArguments" });
	}
	/**
	* Unknown command.
	*
	* @private
	*/
	unknownCommand() {
		const unknownName = this.args[0];
		let suggestion = "";
		if (this._showSuggestionAfterError) {
			const candidateNames = [];
			this.createHelp().visibleCommands(this).forEach((command) => {
				candidateNames.push(command.name());
				if (command.alias()) candidateNames.push(command.alias());
			});
			suggestion = suggestSimilar(unknownName, candidateNames);
		}
		const message = `error: unknown command '${unknownName}'${suggestion}`;
		this.error(message, { code: "commander.unknownCommand" });
	}
	/**
	* Get or set the program version.
	*
	* This method auto-registers the "-V, --version" option which will print the version number.
	*
	* You can optionally supply the flags and description to override the defaults.
	*
	* @param {string} [str]
	* @param {string} [flags]
	* @param {string} [description]
	* @return {(this | string | undefined)} `this` command for chaining, or version string if no arguments
	*/
	version(str, flags, description) {
		if (str === void 0) return this._version;
		this._version = str;
		flags = flags || "-V, --version";
		description = description || "output the version number";
		const versionOption = this.createOption(flags, description);
		this._versionOptionName = versionOption.attributeName();
		this._registerOption(versionOption);
		this.on("option:" + versionOption.name(), () => {
			this._outputConfiguration.writeOut(`${str}\n`);
			this._exit(0, "commander.version", str);
		});
		return this;
	}
	/**
	* Set the description.
	*
	* @param {string} [str]
	* @param {object} [argsDescription]
	* @return {(string|Command)}
	*/
	description(str, argsDescription) {
		if (str === void 0 && argsDescription === void 0) return this._description;
		this._description = str;
		if (argsDescription) this._argsDescription = argsDescription;
		return this;
	}
	/**
	* Set the summary. Used when listed as subcommand of parent.
	*
	* @param {string} [str]
	* @return {(string|Command)}
	*/
	summary(str) {
		if (str === void 0) return this._summary;
		this._summary = str;
		return this;
	}
	/**
	* Set an alias for the command.
	*
	* You may call more than once to add multiple aliases. Only the first alias is shown in the auto-generated help.
	*
	* @param {string} [alias]
	* @return {(string|Command)}
	*/
	alias(alias) {
		if (alias === void 0) return this._aliases[0];
		/** @type {Command} */
		let command = this;
		if (this.commands.length !== 0 && this.commands[this.commands.length - 1]._executableHandler) command = this.commands[this.commands.length - 1];
		if (alias === command._name) throw new Error("Command alias can't be the same as its name");
		const matchingCommand = this.parent?._findCommand(alias);
		if (matchingCommand) {
			const existingCmd = [matchingCommand.name()].concat(matchingCommand.aliases()).join("|");
			throw new Error(`cannot add alias '${alias}' to command '${this.name()}' as already have command '${existingCmd}'`);
		}
		command._aliases.push(alias);
		return this;
	}
	/**
	* Set aliases for the command.
	*
	* Only the first alias is shown in the auto-generated help.
	*
	* @param {string[]} [aliases]
	* @return {(string[]|Command)}
	*/
	aliases(aliases) {
		if (aliases === void 0) return this._aliases;
		aliases.forEach((alias) => this.alias(alias));
		return this;
	}
	/**
	* Set / get the command usage `str`.
	*
	* @param {string} [str]
	* @return {(string|Command)}
	*/
	usage(str) {
		if (str === void 0) {
			if (this._usage) return this._usage;
			const args = this.registeredArguments.map((arg) => {
				return humanReadableArgName(arg);
			});
			return [].concat(this.options.length || this._helpOption !== null ? "[options]" : [], this.commands.length ? "[command]" : [], this.registeredArguments.length ? args : []).join(" ");
		}
		this._usage = str;
		return this;
	}
	/**
	* Get or set the name of the command.
	*
	* @param {string} [str]
	* @return {(string|Command)}
	*/
	name(str) {
		if (str === void 0) return this._name;
		this._name = str;
		return this;
	}
	/**
	* Set/get the help group heading for this subcommand in parent command's help.
	*
	* @param {string} [heading]
	* @return {Command | string}
	*/
	helpGroup(heading) {
		if (heading === void 0) return this._helpGroupHeading ?? "";
		this._helpGroupHeading = heading;
		return this;
	}
	/**
	* Set/get the default help group heading for subcommands added to this command.
	* (This does not override a group set directly on the subcommand using .helpGroup().)
	*
	* @example
	* program.commandsGroup('Development Commands:');
	* program.command('watch')...
	* program.command('lint')...
	* ...
	*
	* @param {string} [heading]
	* @returns {Command | string}
	*/
	commandsGroup(heading) {
		if (heading === void 0) return this._defaultCommandGroup ?? "";
		this._defaultCommandGroup = heading;
		return this;
	}
	/**
	* Set/get the default help group heading for options added to this command.
	* (This does not override a group set directly on the option using .helpGroup().)
	*
	* @example
	* program
	*   .optionsGroup('Development Options:')
	*   .option('-d, --debug', 'output extra debugging')
	*   .option('-p, --profile', 'output profiling information')
	*
	* @param {string} [heading]
	* @returns {Command | string}
	*/
	optionsGroup(heading) {
		if (heading === void 0) return this._defaultOptionGroup ?? "";
		this._defaultOptionGroup = heading;
		return this;
	}
	/**
	* @param {Option} option
	* @private
	*/
	_initOptionGroup(option) {
		if (this._defaultOptionGroup && !option.helpGroupHeading) option.helpGroup(this._defaultOptionGroup);
	}
	/**
	* @param {Command} cmd
	* @private
	*/
	_initCommandGroup(cmd) {
		if (this._defaultCommandGroup && !cmd.helpGroup()) cmd.helpGroup(this._defaultCommandGroup);
	}
	/**
	* Set the name of the command from script filename, such as process.argv[1],
	* or import.meta.filename.
	*
	* (Used internally and public although not documented in README.)
	*
	* @example
	* program.nameFromFilename(import.meta.filename);
	*
	* @param {string} filename
	* @return {Command}
	*/
	nameFromFilename(filename) {
		this._name = path.basename(filename, path.extname(filename));
		return this;
	}
	/**
	* Get or set the directory for searching for executable subcommands of this command.
	*
	* @example
	* program.executableDir(import.meta.dirname);
	* // or
	* program.executableDir('subcommands');
	*
	* @param {string} [path]
	* @return {(string|null|Command)}
	*/
	executableDir(path) {
		if (path === void 0) return this._executableDir;
		this._executableDir = path;
		return this;
	}
	/**
	* Return program help documentation.
	*
	* @param {{ error: boolean }} [contextOptions] - pass {error:true} to wrap for stderr instead of stdout
	* @return {string}
	*/
	helpInformation(contextOptions) {
		const helper = this.createHelp();
		const context = this._getOutputContext(contextOptions);
		helper.prepareContext({
			error: context.error,
			helpWidth: context.helpWidth,
			outputHasColors: context.hasColors
		});
		const text = helper.formatHelp(this, helper);
		if (context.hasColors) return text;
		return this._outputConfiguration.stripColor(text);
	}
	/**
	* @typedef HelpContext
	* @type {object}
	* @property {boolean} error
	* @property {number} helpWidth
	* @property {boolean} hasColors
	* @property {function} write - includes stripColor if needed
	*
	* @returns {HelpContext}
	* @private
	*/
	_getOutputContext(contextOptions) {
		contextOptions = contextOptions || {};
		const error = !!contextOptions.error;
		let baseWrite;
		let hasColors;
		let helpWidth;
		if (error) {
			baseWrite = (str) => this._outputConfiguration.writeErr(str);
			hasColors = this._outputConfiguration.getErrHasColors();
			helpWidth = this._outputConfiguration.getErrHelpWidth();
		} else {
			baseWrite = (str) => this._outputConfiguration.writeOut(str);
			hasColors = this._outputConfiguration.getOutHasColors();
			helpWidth = this._outputConfiguration.getOutHelpWidth();
		}
		const write = (str) => {
			if (!hasColors) str = this._outputConfiguration.stripColor(str);
			return baseWrite(str);
		};
		return {
			error,
			write,
			hasColors,
			helpWidth
		};
	}
	/**
	* Output help information for this command.
	*
	* Outputs built-in help, and custom text added using `.addHelpText()`.
	*
	* @param {{ error: boolean } | Function} [contextOptions] - pass {error:true} to write to stderr instead of stdout
	*/
	outputHelp(contextOptions) {
		let deprecatedCallback;
		if (typeof contextOptions === "function") {
			deprecatedCallback = contextOptions;
			contextOptions = void 0;
		}
		const outputContext = this._getOutputContext(contextOptions);
		/** @type {HelpTextEventContext} */
		const eventContext = {
			error: outputContext.error,
			write: outputContext.write,
			command: this
		};
		this._getCommandAndAncestors().reverse().forEach((command) => command.emit("beforeAllHelp", eventContext));
		this.emit("beforeHelp", eventContext);
		let helpInformation = this.helpInformation({ error: outputContext.error });
		if (deprecatedCallback) {
			helpInformation = deprecatedCallback(helpInformation);
			if (typeof helpInformation !== "string" && !Buffer.isBuffer(helpInformation)) throw new Error("outputHelp callback must return a string or a Buffer");
		}
		outputContext.write(helpInformation);
		if (this._getHelpOption()?.long) this.emit(this._getHelpOption().long);
		this.emit("afterHelp", eventContext);
		this._getCommandAndAncestors().forEach((command) => command.emit("afterAllHelp", eventContext));
	}
	/**
	* You can pass in flags and a description to customise the built-in help option.
	* Pass in false to disable the built-in help option.
	*
	* @example
	* program.helpOption('-?, --help', 'show help'); // customise
	* program.helpOption(false); // disable
	*
	* @param {(string | boolean)} flags
	* @param {string} [description]
	* @return {Command} `this` command for chaining
	*/
	helpOption(flags, description) {
		if (typeof flags === "boolean") {
			if (flags) {
				if (this._helpOption === null) this._helpOption = void 0;
				if (this._defaultOptionGroup) this._initOptionGroup(this._getHelpOption());
			} else this._helpOption = null;
			return this;
		}
		this._helpOption = this.createOption(flags ?? "-h, --help", description ?? "display help for command");
		if (flags || description) this._initOptionGroup(this._helpOption);
		return this;
	}
	/**
	* Lazy create help option.
	* Returns null if has been disabled with .helpOption(false).
	*
	* @returns {(Option | null)} the help option
	* @package
	*/
	_getHelpOption() {
		if (this._helpOption === void 0) this.helpOption(void 0, void 0);
		return this._helpOption;
	}
	/**
	* Supply your own option to use for the built-in help option.
	* This is an alternative to using helpOption() to customise the flags and description etc.
	*
	* @param {Option} option
	* @return {Command} `this` command for chaining
	*/
	addHelpOption(option) {
		this._helpOption = option;
		this._initOptionGroup(option);
		return this;
	}
	/**
	* Output help information and exit.
	*
	* Outputs built-in help, and custom text added using `.addHelpText()`.
	*
	* @param {{ error: boolean }} [contextOptions] - pass {error:true} to write to stderr instead of stdout
	*/
	help(contextOptions) {
		this.outputHelp(contextOptions);
		let exitCode = Number(process$1.exitCode ?? 0);
		if (exitCode === 0 && contextOptions && typeof contextOptions !== "function" && contextOptions.error) exitCode = 1;
		this._exit(exitCode, "commander.help", "(outputHelp)");
	}
	/**
	* // Do a little typing to coordinate emit and listener for the help text events.
	* @typedef HelpTextEventContext
	* @type {object}
	* @property {boolean} error
	* @property {Command} command
	* @property {function} write
	*/
	/**
	* Add additional text to be displayed with the built-in help.
	*
	* Position is 'before' or 'after' to affect just this command,
	* and 'beforeAll' or 'afterAll' to affect this command and all its subcommands.
	*
	* @param {string} position - before or after built-in help
	* @param {(string | Function)} text - string to add, or a function returning a string
	* @return {Command} `this` command for chaining
	*/
	addHelpText(position, text) {
		const allowedValues = [
			"beforeAll",
			"before",
			"after",
			"afterAll"
		];
		if (!allowedValues.includes(position)) throw new Error(`Unexpected value for position to addHelpText.
Expecting one of '${allowedValues.join("', '")}'`);
		const helpEvent = `${position}Help`;
		this.on(helpEvent, (context) => {
			let helpStr;
			if (typeof text === "function") helpStr = text({
				error: context.error,
				command: context.command
			});
			else helpStr = text;
			if (helpStr) context.write(`${helpStr}\n`);
		});
		return this;
	}
	/**
	* Output help information if help flags specified
	*
	* @param {Array} args - array of options to search for help flags
	* @private
	*/
	_outputHelpIfRequested(args) {
		const helpOption = this._getHelpOption();
		if (helpOption && args.find((arg) => helpOption.is(arg))) {
			this.outputHelp();
			this._exit(0, "commander.helpDisplayed", "(outputHelp)");
		}
	}
};
/**
* Scan arguments and increment port number for inspect calls (to avoid conflicts when spawning new command).
*
* @param {string[]} args - array of arguments from node.execArgv
* @returns {string[]}
* @private
*/
function incrementNodeInspectorPort(args) {
	return args.map((arg) => {
		if (!arg.startsWith("--inspect")) return arg;
		let debugOption;
		let debugHost = "127.0.0.1";
		let debugPort = "9229";
		let match;
		if ((match = arg.match(/^(--inspect(-brk|-wait)?)$/)) !== null) debugOption = match[1];
		else if ((match = arg.match(/^(--inspect(-brk|-port|-wait)?)=(\[[^\]]+\]|[^:]+)$/)) !== null) {
			debugOption = match[1];
			if (/^\d+$/.test(match[3])) debugPort = match[3];
			else debugHost = match[3];
		} else if ((match = arg.match(/^(--inspect(-brk|-port|-wait)?)=(\[[^\]]+\]|[^:]+):(\d+)$/)) !== null) {
			debugOption = match[1];
			debugHost = match[3];
			debugPort = match[4];
		}
		if (debugOption && debugPort !== "0") return `${debugOption}=${debugHost}:${parseInt(debugPort) + 1}`;
		return arg;
	});
}
/**
* Exported for using from tests, not otherwise used outside this file.
*
* @returns {boolean | undefined}
* @package
*/
function useColor() {
	if (process$1.env.NO_COLOR || process$1.env.FORCE_COLOR === "0" || process$1.env.FORCE_COLOR === "false") return false;
	if (process$1.env.FORCE_COLOR || process$1.env.CLICOLOR_FORCE !== void 0) return true;
}

// node_modules/commander/index.js
const program = new Command();

// src/billing/invoices/verbs.ts
const LISTED_MAX$2 = 1e3;
function registerInvoiceVerbs(program, context) {
	const invoice = program.command("invoice").description("invoices: what organisations are to pay");
	verb(invoice, "list", `show invoices, newest first, at most ${LISTED_MAX$2}`).option("--org <id>", "only those of one organisation").option("--state <state>", INVOICE_STATES.join(", "), oneOfWords("--state", INVOICE_STATES)).action((options) => withStore(context, async ({ sql }) => {
		const { rows } = await listInvoices(sql, {
			organisationId: options.org,
			state: options.state,
			limit: LISTED_MAX$2
		});
		print(context, options.json, rows.map(view$5), () => table([
			"INVOICE",
			"ORGANISATION",
			"NUMBER",
			"KIND",
			"STATE",
			"PENCE",
			"ISSUED",
			"DUE"
		], rows.map((row) => [
			row.id,
			row.organisation_id,
			String(row.number),
			row.kind,
			row.state,
			String(row.total_pence),
			dateText(row.issued_at),
			dateText(row.due_at)
		]), "There is no such invoice."));
	}));
	verb(invoice, "settle", "note that an invoice was paid; what it is for is given, and an unpaid account runs again").requiredOption("--invoice <id>", "id of the invoice").option("--reference <text>", "names the payment; a second payment of its own becomes credit").action((options) => withStore(context, async (store) => {
		const found = await requireInvoice(store.sql, options.invoice);
		const actor = operatorIn(found.organisation_id);
		const { payment, repeated, ...receipt } = await store.change((tx) => settleByHand(tx, store, actor, {
			invoice: found,
			reference: options.reference ?? null
		}));
		await store.announceAccount(found.organisation_id);
		const settled = receipt.invoice ?? found;
		print(context, options.json, {
			...view$5(settled),
			outcome: payment.outcome,
			repeated
		}, () => repeated ? `Invoice ${settled.id} was settled before; nothing changed.` : payment.outcome === "credited" ? `Invoice ${settled.id} is ${settled.state}: the payment became ${payment.amount_pence} pence of credit.` : `Invoice ${settled.id} is ${settled.state}.`);
	}));
	verb(invoice, "void", "take an invoice back: nothing is to be paid, its overage is forgiven").requiredOption("--invoice <id>", "id of the invoice").action((options) => withStore(context, async (store) => {
		const found = await requireInvoice(store.sql, options.invoice);
		const actor = operatorIn(found.organisation_id);
		const voided = await store.change((tx) => voidInvoice(tx, store, actor, found));
		await store.announceAccount(found.organisation_id);
		print(context, options.json, view$5(voided), () => `Invoice ${voided.id} is void.`);
	}));
	verb(invoice, "refund", "note that money of a paid invoice went back to the customer").requiredOption("--invoice <id>", "id of the invoice").option("--pence <n>", "how much; default all of it", wholeNumber("--pence", 1, 1e9)).action((options) => withStore(context, async (store) => {
		const found = await requireInvoice(store.sql, options.invoice);
		const actor = operatorIn(found.organisation_id);
		const pence = options.pence ?? found.total_pence - found.refunded_pence;
		await store.change((tx) => refundByHand(tx, store, actor, {
			invoice: found,
			pence
		}));
		await store.announceAccount(found.organisation_id);
		const after = await requireInvoice(store.sql, found.id);
		print(context, options.json, view$5(after), () => `Of invoice ${after.id}, ${after.refunded_pence} pence went back.`);
	}));
}
function view$5(invoice) {
	return {
		invoice_id: invoice.id,
		organisation_id: invoice.organisation_id,
		number: invoice.number,
		kind: invoice.kind,
		state: invoice.state,
		in_advance: invoice.in_advance,
		total_pence: invoice.total_pence,
		refunded_pence: invoice.refunded_pence,
		lines: invoice.lines,
		issued_at: isoOrNull(invoice.issued_at),
		due_at: isoOrNull(invoice.due_at),
		settled_at: isoOrNull(invoice.settled_at),
		payment_reference: invoice.payment_reference
	};
}

// src/billing/ledger/chain-walk.ts
/**
* Goes along one chain of hashes, entry by entry, and says what does not fit. Works for the ledger and the audit log.
*
*  1. Entries are numbered from 1 without a gap.
*  2. Entries from before there were hashes come first; the organisation's first anchor holds a hash over them.
*  3. The hash of every other entry is over the hash before it and its own fields.
*  4. At the number an anchor names, the hash is the one it holds.
*  5. The head is the number and the hash of the last entry.
*/
var ChainWalk = class {
	#heads;
	#older;
	#next = 0;
	#seq = 0;
	#hash = null;
	/** The hash before the last one. */
	#hashBefore = null;
	#olderHash = "";
	constructor({ heads, older }) {
		this.#heads = heads.filter(({ seq }) => seq > 0).sort((a, b) => a.seq - b.seq);
		this.#older = older;
	}
	/** The number of the last entry. */
	get seq() {
		return this.#seq;
	}
	/** What is wrong with the next entry. After that the walk is over. */
	step(entry) {
		if (entry.seq !== this.#seq + 1) return missing(this.#seq + 1, entry.seq - 1);
		const problem = entry.hash === null ? this.#withoutHash(entry) : this.#withHash(entry, entry.hash);
		if (problem) return problem;
		this.#seq = entry.seq;
		this.#hashBefore = this.#hash;
		this.#hash = entry.hash;
		for (; this.#heads[this.#next]?.seq === entry.seq; this.#next++) {
			const anchored = this.#heads[this.#next];
			if (anchored && anchored.hash !== entry.hash) return `it is not the one that ${named(anchored)} holds: it or one before it was rewritten, with all hashes from there on`;
		}
	}
	/** What is missing behind the last entry, up to what the head counts. */
	cutOff(head) {
		return missing(this.#seq + 1, head.seq);
	}
	/** What is wrong with the end of the chain. */
	end(head) {
		const beyond = this.#heads.at(-1);
		if (beyond && beyond.seq > this.#seq) return `${missing(this.#seq + 1, beyond.seq)}: the end was cut off, and ${named(beyond)} still holds it`;
		if (head.hash === this.#hash) return void 0;
		return this.#seq === 0 ? "the head has a hash, and there is no entry" : `the head is not the hash of the last entry, ${this.#seq}: the head was changed, or the end was cut off and replaced`;
	}
	#withoutHash({ seq, fieldsAt }) {
		if (this.#hash !== null || this.#older && seq > this.#older.count) return "it has no hash: it was written by hand, or by an earlier version that ran beside this one";
		this.#olderHash = link(this.#olderHash, fieldsAt(seq));
		return seq === this.#older?.count && this.#olderHash !== this.#older.hash ? `it or one before it was changed after they were anchored (entries up to ${seq} are from before there were hashes)` : void 0;
	}
	#withHash({ seq, fieldsAt }, hash) {
		if (this.#older && seq <= this.#older.count) return "it has a hash, and when it was anchored it had none: it was replaced";
		if (link(this.#hash ?? "", fieldsAt(seq)) === hash) return void 0;
		if (seq > 1 && link(this.#hashBefore ?? "", fieldsAt(seq - 1)) === hash) return `entry ${seq - 1} was inserted: what is entry ${seq} now was entry ${seq - 1} when it was written`;
		const changed = "its content was changed after it was written";
		const before = this.#heads[this.#next - 1];
		return this.#hash === null || before?.seq === this.#seq && before.hash === this.#hash ? changed : `${changed} (or entry ${seq - 1} was rewritten together with its hash)`;
	}
};
function missing(from, to) {
	return from === to ? `entry ${from} is missing` : `entries ${from} to ${to} are missing`;
}
function named({ number, madeAtMs }) {
	return `anchor ${number} of ${isoDay(madeAtMs)}`;
}

// src/billing/ledger/verify-anchors.ts
const ANCHORS_PER_PAGE = 1e3;
/** The last moment a date can name: an anchor of a later one was not made by us. */
const TIME_MS_MAX = 864e13;
/** Reads the file before the database, which is written first: so the file cannot be ahead of it. */
async function verifyAnchors(sql, { ring, anchorsFile }) {
	const lines = anchorsFile === void 0 ? [] : readAnchorsFile(anchorsFile).lines;
	const anchors = /* @__PURE__ */ new Map();
	const differences = [];
	let macProblem;
	let last;
	for (let page = await readAnchors(sql, 0, ANCHORS_PER_PAGE); page.length > 0;) {
		for (const anchor of page) {
			const problem = await anchorProblem(sql, anchor, last) ?? timeProblem(anchor);
			if (problem) differences.push(told(anchor.number, problem));
			if (ring && !await isSigned(ring, anchor)) macProblem ??= told(anchor.number, WRONG_MAC);
			if (!timeProblem(anchor)) anchors.set(anchor.number, anchor);
			last = anchor;
		}
		page = await readAnchors(sql, last?.number ?? 0, ANCHORS_PER_PAGE);
	}
	if (macProblem) differences.push(macProblem);
	const restored = restoreProblem(lines, anchors, last);
	if (restored) differences.push(restored);
	return {
		anchors,
		differences
	};
}
const told = (number, problem) => ({
	part: "anchor",
	organisationId: void 0,
	seq: number,
	entryId: void 0,
	problem
});
const WRONG_MAC = "its MAC does not fit: it was made by somebody who does not know the server’s secret, or the secret is not the one it was made with";
function timeProblem({ madeAtMs }) {
	return Math.abs(madeAtMs) > TIME_MS_MAX ? "its time was changed" : void 0;
}
async function anchorProblem(sql, anchor, last) {
	const lastNumber = last?.number ?? 0;
	if (anchor.number !== lastNumber + 1) return anchor.number === lastNumber + 2 ? `anchor ${lastNumber + 1} before it is missing` : `anchors ${lastNumber + 1} to ${anchor.number - 1} before it are missing`;
	if (anchor.hash !== hashOfAnchor(last?.hash ?? "", anchor)) return "it, or the anchor before it, was changed";
	const hashes = [];
	for await (const page of readAnchorHeads(sql, anchor.number)) for (const head of page) {
		if (head.hash !== hashOfHead(head)) return `what it holds of ${head.organisationId || "the operator"} was changed`;
		hashes.push(head.hash);
	}
	if (hashes.length !== anchor.heads) return `${anchor.heads} rows belong to it, and ${hashes.length} are there`;
	return hashOfHeads(hashes) === anchor.headsHash ? void 0 : "what it holds of an organisation was changed";
}
function restoreProblem(lines, anchors, last) {
	const lastNumber = last?.number ?? 0;
	const other = lines.find(({ number, hash }) => {
		const anchor = anchors.get(number);
		return anchor ? anchor.hash !== hash : number > lastNumber;
	});
	if (!other) return void 0;
	const end = last && anchors.has(last.number) ? `anchor ${last.number} of ${isoDay(last.madeAtMs)}` : "no anchor";
	const problem = other.number > lastNumber ? `the database ends with ${end}, and anchors.log knows anchor ${other.number} of ${other.made_at}: the database was restored from a backup, or its end was cut off` : `anchors.log knows another anchor ${other.number}, of ${other.made_at}: the database was restored from a backup and has gone on since, or the anchors were rewritten`;
	return {
		...told(other.number, problem),
		part: "restore"
	};
}

// src/billing/ledger/verify.ts
const ENTRIES_PER_PAGE = 2e3;
/** One of each chain is told; more than these help nobody. */
const DIFFERENCES_MAX = 100;
async function verifyLedger(sql, options = {}) {
	const { anchors, differences } = await verifyAnchors(sql, options);
	for (const log of [LEDGER, AUDIT]) {
		const stray = await findStrayEntry(sql, log);
		if (stray) differences.push(stray);
	}
	const strays = new Set(differences.map(({ part, organisationId }) => `${part} ${organisationId}`));
	const counted = {
		accounts: 0,
		entries: 0,
		auditEntries: 0
	};
	for await (const organisationIds of chainHolders(sql)) {
		const { accounts, audits } = await readHeads(sql, organisationIds);
		for (const organisationId of organisationIds) {
			if (differences.length >= DIFFERENCES_MAX) break;
			const account = accounts.get(organisationId);
			const auditHead = audits.get(organisationId) ?? NO_HEAD;
			const heads = await anchoredHeads(sql, organisationId, anchors);
			for (const difference of [await verifyAccount(sql, organisationId, account, anchoredLedger(heads)), await verifyAudit(sql, organisationId, auditHead, anchoredAudit(heads))]) if (difference && !strays.has(`${difference.part} ${organisationId}`)) differences.push(difference);
			counted.accounts += account ? 1 : 0;
			counted.entries += account?.entrySeq ?? 0;
			counted.auditEntries += auditHead.seq;
		}
	}
	const [difference, ...more] = differences;
	const uncheckedSignatures = options.ring ? 0 : anchors.size;
	if (difference) return {
		clean: false,
		difference,
		more,
		uncheckedSignatures
	};
	return {
		clean: true,
		uncheckedSignatures,
		...counted,
		anchors: anchors.size,
		anchoredAtMs: [...anchors.values()].at(-1)?.madeAtMs ?? null
	};
}
const NO_HEAD = {
	seq: 0,
	hash: null
};
async function readHeads(sql, organisationIds) {
	const page = pageOf(organisationIds);
	const [accounts$1, audits] = await Promise.all([sql.query(`select ${accounts.columns()} from billing_account where ${WITHIN_PAGE}`, page), sql.query(`select ${auditHeads.columns()} from audit_chain where ${WITHIN_PAGE}`, page)]);
	const heads = audits.map(auditHeads.fromRow);
	return {
		accounts: accountsById(accounts$1),
		audits: new Map(heads.map((head) => [head.organisation_id, head]))
	};
}
/** What the anchors hold of an organisation; a row that was altered proves nothing, and is told of with its anchor. */
async function anchoredHeads(sql, organisationId, anchors) {
	if (anchors.size === 0) return [];
	return (await readHeadsOf(sql, organisationId)).flatMap((head) => {
		const anchor = anchors.get(head.number);
		return anchor && head.hash === hashOfHead(head) ? [{
			...head,
			madeAtMs: anchor.madeAtMs
		}] : [];
	});
}
function anchoredLedger(heads) {
	return {
		heads: heads.map((head) => ({
			...head,
			seq: head.ledgerSeq,
			hash: head.ledgerHash
		})),
		older: olderOf(heads, ({ olderLedgerCount: count, olderLedgerHash: hash }) => ({
			count,
			hash
		}))
	};
}
function anchoredAudit(heads) {
	return {
		heads: heads.map((head) => ({
			...head,
			seq: head.auditSeq,
			hash: head.auditHash
		})),
		older: olderOf(heads, ({ olderAuditCount: count, olderAuditHash: hash }) => ({
			count,
			hash
		}))
	};
}
function olderOf(heads, of) {
	for (const { count, hash } of heads.map(of)) if (count !== null && hash !== null) return {
		count,
		hash
	};
}
const LEDGER = {
	part: "ledger",
	table: "ledger_entry",
	heads: "billing_account",
	headSeq: "entry_seq",
	stray: "the entry is counted by no account"
};
const AUDIT = {
	part: "audit",
	table: "audit_entry",
	heads: "audit_chain",
	headSeq: "seq",
	stray: "the entry is counted by no head: it was added by hand, or the head was changed"
};
/**
* An entry no head counts. Each statement sees heads and entries of one moment, so a charge in between does not
* matter, and looks at one place of the index per organisation, so a long ledger does not either.
*/
async function findStrayEntry(sql, { part, table, heads, headSeq, stray }) {
	const beyond = await sql.query(`select organisation_id, ${headSeq} as seq from ${heads} a
     where (select max(e.seq) from ${table} e where e.organisation_id = a.organisation_id) > a.${headSeq}
     order by organisation_id limit 1`);
	const orphaned = await sql.query(`with recursive holder (id) as (
       select min(organisation_id) from ${table}
       union all
       select (select min(e.organisation_id) from ${table} e where e.organisation_id > holder.id)
       from holder where holder.id is not null
     )
     select id as organisation_id, 0 as seq from holder
     where id is not null and not exists (select 1 from ${heads} a where a.organisation_id = holder.id) limit 1`);
	const first = beyond[0] ?? orphaned[0];
	if (!first) return void 0;
	const { organisation_id: organisationId, seq: afterSeq } = first;
	const [entry] = await sql.query(`select id, seq from ${table} where organisation_id = $1 and (seq > $2 or seq is null) order by seq limit 1`, [organisationId, afterSeq]);
	return {
		part,
		organisationId,
		seq: entry?.seq ?? void 0,
		entryId: entry?.id,
		problem: stray
	};
}
async function verifyAudit(sql, organisationId, head, anchored) {
	const told = (problem, seq, entryId) => ({
		part: "audit",
		organisationId,
		seq,
		entryId,
		problem
	});
	if (anchored.older) {
		const older = await hashOlderAudit(sql, organisationId);
		if (older.hash !== anchored.older.hash) return told(olderAuditProblem(older.count, anchored.older.count));
	}
	const walk = new ChainWalk({
		heads: anchored.heads,
		older: void 0
	});
	while (walk.seq < head.seq) {
		const limit = Math.min(ENTRIES_PER_PAGE, head.seq - walk.seq);
		const page = await readAuditChain(sql, {
			organisationId,
			afterSeq: walk.seq,
			limit
		});
		for (const entry of page) {
			const seq = entry.seq ?? 0;
			if (seq > head.seq) break;
			const fieldsAt = (at) => hashedAuditFields(entry, at);
			const problem = walk.step({
				seq,
				hash: entry.hash ?? "",
				fieldsAt
			});
			if (problem) return told(problem, seq, entry.id);
		}
		if (page.length < limit) return told(`${walk.cutOff(head)}: the head counts ${head.seq}`, walk.seq + 1);
	}
	const problem = walk.end(head);
	return problem ? told(problem) : void 0;
}
function olderAuditProblem(found, anchored) {
	const about = "of the entries from before there were hashes";
	if (found < anchored) return `${anchored - found} ${about} are missing`;
	if (found > anchored) return `${found - anchored} entries without a hash were added by hand`;
	return `one ${about} was changed after they were anchored`;
}
async function verifyAccount(sql, organisationId, account, anchored) {
	const told = (problem, seq, entryId) => ({
		part: "ledger",
		organisationId,
		seq,
		entryId,
		problem
	});
	const running = {
		includedPence: 0,
		prepaidPence: 0,
		overagePence: 0,
		includedUsedPence: 0,
		freeUnitsUsed: 0,
		period: ""
	};
	const walk = new ChainWalk(anchored);
	const head = {
		seq: account?.entrySeq ?? 0,
		hash: account?.entryHash ?? null
	};
	while (walk.seq < head.seq) {
		const limit = Math.min(ENTRIES_PER_PAGE, head.seq - walk.seq);
		const page = await readEntries(sql, {
			organisationId,
			afterSeq: walk.seq,
			limit
		});
		for (const entry of page) {
			if (entry.seq > head.seq) break;
			const fieldsAt = (seq) => hashedFields(seq === entry.seq ? entry : {
				...entry,
				seq
			});
			const problem = walk.step({
				seq: entry.seq,
				hash: entry.hash,
				fieldsAt
			}) ?? entryProblem(running, entry);
			if (problem) return told(problem, entry.seq, entry.id);
		}
		if (page.length < limit) return told(`${walk.cutOff(head)}: the account counts ${head.seq}`, walk.seq + 1);
	}
	const problem = walk.end(head) ?? (account && accountProblem(running, account));
	return problem ? told(problem) : void 0;
}
/** Checks one entry against the balances before it, and moves them on. */
function entryProblem(running, entry) {
	if (entry.period < running.period) return `the period ${entry.period} comes after ${running.period}`;
	if (entry.period !== running.period) {
		running.period = entry.period;
		running.includedUsedPence = 0;
		running.freeUnitsUsed = 0;
	}
	running.includedPence += entry.includedDeltaPence;
	running.prepaidPence += entry.prepaidDeltaPence;
	running.overagePence += entry.overageDeltaPence;
	running.freeUnitsUsed += entry.freeUnits;
	if (entry.kind === "charge" || entry.kind === "refund") running.includedUsedPence -= entry.includedDeltaPence;
	return balanceProblem("included credit", running.includedPence, entry.includedAfterPence) ?? balanceProblem("prepaid credit", running.prepaidPence, entry.prepaidAfterPence) ?? balanceProblem("overage", running.overagePence, entry.overageAfterPence) ?? KIND_PROBLEMS[entry.kind](entry);
}
function balanceProblem(name, expected, found) {
	if (expected !== found) return `the ${name} after the entry is ${found}, the entries add up to ${expected}`;
	if (found < 0) return `the ${name} is negative: ${found}`;
}
const moved = (entry) => [
	entry.includedDeltaPence,
	entry.prepaidDeltaPence,
	entry.overageDeltaPence
];
const KIND_PROBLEMS = {
	charge(entry) {
		const [included = 0, prepaid = 0, overage = 0] = moved(entry);
		if (entry.family === null || entry.units < 1) return "a charge names its family and at least one unit";
		if (entry.freeUnits !== 0) {
			if (entry.freeUnits !== entry.units) return `${entry.freeUnits} of ${entry.units} units are free, not all or none`;
			return included !== 0 || prepaid !== 0 || overage !== 0 ? "a free request moved money" : void 0;
		}
		if (included > 0 || prepaid > 0 || overage < 0) return "a charge moved money the wrong way";
		const total = entry.unitPricePence * entry.units;
		if (overage - included - prepaid !== total) return `the parts add up to ${overage - included - prepaid}, not ${total}`;
		if (prepaid < 0 && entry.includedAfterPence > 0) return "prepaid credit was used before included credit";
		const creditLeft = entry.includedAfterPence + entry.prepaidAfterPence;
		return overage > 0 && creditLeft > 0 ? `overage was owed while ${creditLeft} of credit was left` : void 0;
	},
	refund(entry) {
		const [included = 0, prepaid = 0, overage = 0] = moved(entry);
		return included < 0 || prepaid < 0 || overage > 0 || entry.freeUnits > 0 ? "a refund moved money the wrong way" : void 0;
	},
	grant(entry) {
		const [included = 0, prepaid = 0, overage = 0] = moved(entry);
		return included <= 0 || prepaid !== 0 || overage !== 0 ? "a grant adds included credit and nothing else" : void 0;
	},
	expire(entry) {
		const [included = 0, prepaid = 0, overage = 0] = moved(entry);
		if (included >= 0 || prepaid !== 0 || overage !== 0) return "an expiry takes included credit and nothing else";
		return entry.includedAfterPence === 0 ? void 0 : "an expiry left included credit behind";
	},
	credit(entry) {
		const [included = 0, prepaid = 0, overage = 0] = moved(entry);
		return prepaid <= 0 || included !== 0 || overage !== 0 ? "a credit adds prepaid credit and nothing else" : void 0;
	},
	settle(entry) {
		const [included = 0, prepaid = 0, overage = 0] = moved(entry);
		return included !== 0 || prepaid !== 0 || overage === 0 ? "a settlement, or taking one back, moves overage and nothing else" : void 0;
	},
	reversal(entry) {
		const [included = 0, prepaid = 0, overage = 0] = moved(entry);
		return included !== 0 || prepaid > 0 || overage < 0 ? "a payment that went back takes prepaid credit or adds overage, and nothing else" : void 0;
	},
	plan(entry) {
		const [, prepaid = 0, overage = 0] = moved(entry);
		return prepaid !== 0 || overage !== 0 ? "a change of plan moves included credit only" : void 0;
	}
};
function accountProblem(running, account) {
	const samePeriod = running.period === account.period;
	const expected = [
		[
			"included_pence",
			account.includedPence,
			running.includedPence
		],
		[
			"prepaid_pence",
			account.prepaidPence,
			running.prepaidPence
		],
		[
			"overage_pence",
			account.overagePence,
			running.overagePence
		],
		[
			"included_used_pence",
			account.includedUsedPence,
			samePeriod ? running.includedUsedPence : 0
		],
		[
			"free_units_used",
			account.freeUnitsUsed,
			samePeriod ? running.freeUnitsUsed : 0
		]
	];
	for (const [column, found, sum] of expected) if (found !== sum) return `the account's ${column} is ${found}, its entries add up to ${sum}`;
	return running.period > account.period ? `the account is behind its entries: ${account.period}` : void 0;
}

// src/billing/ledger/accept-restore.ts
/** The operator says that the database was restored from a backup: from here on it is compared with anchors.log again. */
/** Accepts a restore and nothing else: with any other difference the report is returned and nothing is written. */
async function acceptRestore(deps) {
	const { sql, clock, anchorsFile } = deps;
	const report = await verifyLedger(sql, deps);
	if (report.clean) throw new Problem("conflict", { detail: "The database fits anchors.log: there is no restore to accept." });
	if ([report.difference, ...report.more].some(({ part }) => part !== "restore")) return report;
	const last = await lastAnchor(sql);
	const detail = {
		anchor: last?.number ?? 0,
		known: lastNumberOf(readAnchorsFile(anchorsFile))
	};
	await changeIn(sql, clock, (tx) => audit(tx, operatorIn(""), "ledger.restore", null, detail));
	appendRestore(anchorsFile, last, clock.now());
	return verifyLedger(sql, deps);
}

// src/billing/ledger/verbs.ts
function registerLedgerVerbs(program, context) {
	const ledger = program.command("ledger").description("the append-only ledger");
	verb(ledger, "verify", "prove that every entry and balance adds up and that nothing was edited by hand").option("--accept-restore", "the database was restored from a backup: compare with anchors.log from here on").action(async (options) => {
		await withStore(context, async (store) => {
			const report = await (options.acceptRestore ? acceptRestore(await withRing(store)) : verify(store));
			print(context, options.json, report, () => reportText(report));
			if (!report.clean) context.exitCode = 2;
		});
	});
	verb(ledger, "anchor", "anchor the ledger and the audit log now; the server does so once a day").action(async (options) => {
		await withStore(context, async (store) => {
			const made = await anchorNow(await withRing(store));
			if (!made) throw new OperatorError("A server is making an anchor at this moment. Try again in a while.");
			const line = anchorLine(made);
			print(context, options.json, line, () => `Anchor ${line.number} of ${line.made_at}: ${line.hash}`);
		});
	});
}
const withRing = async (store) => ({
	...store,
	ring: await store.openRing()
});
/** Proves what can be proved without the secret where none is at hand. */
async function verify(store) {
	const ring = await store.findRing();
	return verifyLedger(store.sql, ring ? {
		...store,
		ring
	} : store);
}
function reportText(report) {
	const { uncheckedSignatures: unchecked } = report;
	if (unchecked === 0) return findingText(report);
	return `${findingText(report)}
The signatures of anchors were NOT checked (${unchecked} anchors): there is no secret here. Set ASSAY_SECRET to the secret the server runs with.`;
}
function findingText(report) {
	if (report.clean) {
		const { entries, accounts, auditEntries, anchors, anchoredAtMs } = report;
		return `The ledger adds up: ${entries} entries of ${accounts} accounts, ${auditEntries} audit entries, ${anchoredAtMs === null ? "no anchor yet" : `${anchors} anchors, the last of ${isoDay(anchoredAtMs)}`}.`;
	}
	const found = [report.difference, ...report.more];
	const lines = ["The ledger does NOT add up:", ...found.map((difference) => `  ${differenceText(difference)}`)];
	if (found.some(({ part }) => part === "restore")) lines.push("If you restored a backup yourself, say so: assayd ledger verify --accept-restore");
	return lines.join("\n");
}
function differenceText({ part, organisationId, seq, problem }) {
	if (organisationId === void 0) return part === "anchor" ? `anchor ${seq}: ${problem}` : problem;
	return `${seq === void 0 ? `the ${part === "audit" ? "audit log" : "account"}` : `${part === "audit" ? "audit entry" : "entry"} ${seq}`} of ${organisationId === "" ? "the operator" : organisationId}: ${problem}`;
}
function registerPlanVerbs(program, context) {
	const plan = program.command("plan").description("plans and prices");
	verb(plan, "list", "show the plans of plans.json").action((options) => {
		const plans = [...loadPlans(context.config().ASSAY_PLANS_FILE).values()];
		print(context, options.json, plans, () => table([
			"PLAN",
			"NAME",
			"MONTHLY",
			"CREDIT",
			"EMAIL/DOMAIN/IP",
			"FREE UNITS",
			"OVERAGE",
			"REQUESTS/S",
			"BULK"
		], plans.map((row) => [
			row.id,
			row.name,
			`${row.monthly_price_pence}p`,
			`${row.included_credit_pence}p`,
			`${Object.values(row.unit_price_pence).join("/")}p`,
			String(row.free_units),
			row.overage_allowed ? overageText(row.overage_limit_pence) : "no",
			String(row.requests_per_second),
			row.bulk_allowed ? "yes" : "no"
		]), "plans.json has no plan."));
	});
}
const overageText = (limitPence) => limitPence === void 0 ? "yes" : `up to ${limitPence}p`;

// src/billing/payments/verbs.ts
const LISTED_MAX$1 = 1e3;
function registerPaymentVerbs(program, context) {
	const payment = program.command("payment").description("payments that arrived, and what became of them");
	verb(payment, "list", `show payments, newest first, at most ${LISTED_MAX$1}`).option("--org <id>", "only those of one organisation").option("--outcome <outcome>", PAYMENT_OUTCOMES.join(", "), oneOfWords("--outcome", PAYMENT_OUTCOMES)).action((options) => withStore(context, async ({ sql }) => {
		const rows = await listPayments(sql, {
			organisationId: options.org,
			outcome: options.outcome,
			limit: LISTED_MAX$1
		});
		print(context, options.json, rows.map(view$4), () => table([
			"PAYMENT",
			"ORGANISATION",
			"INVOICE",
			"PENCE",
			"CURRENCY",
			"OUTCOME",
			"REFUNDED",
			"DISPUTED",
			"RECEIVED"
		], rows.map((row) => [
			row.reference,
			row.organisation_id ?? "-",
			row.invoice_id ?? "-",
			String(row.amount_pence),
			row.currency,
			row.outcome,
			String(row.refunded_pence),
			row.disputed_at === null ? "-" : dateText(row.disputed_at),
			dateText(row.received_at)
		]), "There is no such payment."));
	}));
}
const view$4 = ({ id, disputed_at, received_at, ...rest }) => ({
	payment_id: id,
	...rest,
	disputed_at: isoOrNull(disputed_at),
	received_at: iso(received_at)
});

// src/billing/subscription/verbs.ts
const PENCE_MAX = 1e9;
const LISTED_MAX = 1e3;
const WORDS = {
	disable: "stop an organisation: its credentials answer 403 until it is enabled",
	enable: "let a disabled organisation go on, in the state it had before",
	deactivate: "end the subscription of an organisation; a new one, or activate, brings it back",
	activate: "take back that a subscription was ended by deactivate",
	approve: "let an organisation that signed up begin, where sign-up is by approval"
};
/** `assayd org`: organisations and what they are entitled to. */
function registerOrgVerbs(program, context) {
	const org = program.command("org").description("organisations: the customers who are charged");
	verb(org, "create", "make an organisation and its first API key").requiredOption("--name <name>", "its name, for people").requiredOption("--plan <plan>", "id of its plan (\"assayd plan list\")").option("--credit-pence <n>", "prepaid credit to start with", wholeNumber("--credit-pence", 0, PENCE_MAX), 0).action(async (options) => {
		await withStore(context, async (store) => {
			const made = await store.change((tx) => arrangeOrganisation(tx, store, {
				name: options.name,
				planId: options.plan,
				creditPence: options.creditPence
			}));
			const { credit_pence } = await describe(store, made.organisation);
			const result = {
				organisation_id: made.organisation.id,
				name: made.organisation.name,
				plan: options.plan,
				credit_pence,
				api_key_id: made.keyId,
				api_key: made.apiKey
			};
			print(context, options.json, result, () => [`Organisation ${result.organisation_id} (${result.name}) on plan ${result.plan}, credit ${credit_pence} pence.`, `API key, shown this once: ${result.api_key}`].join("\n"));
		});
	});
	verb(org, "list", "show organisations, newest first").option("--search <text>", "only those with this text in the name, or with this id", "").option("--limit <n>", "how many at most", wholeNumber("--limit", 1, LIST_ROWS_MAX), LISTED_MAX).action((options) => withStore(context, async (store) => {
		const { search, limit } = options;
		const found = await findOrganisations(store, {
			search,
			limit: limit + 1
		});
		const rows = found.slice(0, limit).map(({ organisation, account }) => view$3(organisation, account));
		if (found.length > limit) context.writeError(`There are more than ${limit}: narrow them by --search, or raise --limit.\n`);
		print(context, options.json, rows, () => table([
			"ORGANISATION",
			"NAME",
			"STATE",
			"WHY",
			"PLAN",
			"CREDIT PENCE",
			"OVERAGE PENCE"
		], rows.map((row) => [
			row.organisation_id,
			row.name,
			row.state,
			row.state_reason ?? "-",
			row.plan,
			String(row.credit_pence),
			String(row.overage_pence)
		]), search === "" ? "There is no organisation yet: assayd org create --name NAME --plan PLAN" : "There is no such organisation."));
	}));
	verb(org, "show", "show one organisation").requiredOption("--org <id>", "its id").action((options) => withStore(context, async (store) => {
		const row = await present(store, options.org);
		print(context, options.json, row, () => Object.entries(row).map(([name, value]) => `${`${name}:`.padEnd(20)}${value}`).join("\n"));
	}));
	for (const [word, about] of Object.entries(WORDS)) verb(org, word, about).requiredOption("--org <id>", "its id").action((options) => withStore(context, async (store) => {
		await store.change((tx) => setOperatorWord(tx, store, operatorIn(options.org), word));
		await store.announceAccount(options.org);
		const row = await present(store, options.org);
		print(context, options.json, row, () => {
			const why = row.state_reason === null ? "" : ` ${STATE_REASONS[row.state_reason]}`;
			return `Organisation ${row.organisation_id} is now ${row.state}.${why}`;
		});
	}));
	verb(org, "credit", "add prepaid credit").requiredOption("--org <id>", "its id").requiredOption("--pence <n>", "how much", wholeNumber("--pence", 1, PENCE_MAX)).requiredOption("--reason <text>", "why; stands in the ledger").action((options) => withStore(context, async (store) => {
		const { pence, reason } = options;
		await store.change((tx) => addCredit(tx, store, operatorIn(options.org), {
			pence,
			reason
		}));
		const row = await present(store, options.org);
		print(context, options.json, row, () => `Credit of ${row.organisation_id} is now ${row.credit_pence} pence.`);
	}));
	verb(org, "plan", "put an organisation on a plan; a subscriber gets an invoice for what it costs more").requiredOption("--org <id>", "its id").requiredOption("--plan <plan>", "id of the plan (\"assayd plan list\")").action((options) => withStore(context, async (store) => {
		const invoice = await store.change((tx) => setPlan(tx, store, operatorIn(options.org), options.plan));
		await store.announceAccount(options.org);
		const row = {
			...await present(store, options.org),
			invoice_id: invoice?.id ?? null
		};
		print(context, options.json, row, () => [`Organisation ${row.organisation_id} is on plan ${row.plan}.`, ...invoice ? [`Invoice ${invoice.number}: ${invoice.total_pence} pence.`] : []].join("\n"));
	}));
	verb(org, "limit", "limit how much an organisation may owe beyond its credit; without --pence, as its plan says").requiredOption("--org <id>", "its id").option("--pence <n>", "the limit", wholeNumber("--pence", 0, PENCE_MAX)).action((options) => withStore(context, async (store) => {
		const limit = options.pence ?? null;
		await store.change((tx) => setOverageLimit(tx, store, operatorIn(options.org), limit));
		const row = {
			...await present(store, options.org),
			overage_limit_pence: limit
		};
		print(context, options.json, row, () => limit === null ? `The overage of ${row.organisation_id} is limited as its plan says.` : `The overage of ${row.organisation_id} is limited to ${limit} pence.`);
	}));
}
async function present(store, id) {
	await bringToPresent(store, id);
	return describe(store, await requireOrganisation(store.sql, id));
}
async function describe(store, organisation) {
	return view$3(organisation, await readAccount(store, organisation.id));
}
function view$3(organisation, account) {
	return {
		organisation_id: organisation.id,
		name: organisation.name,
		state: organisation.state,
		state_reason: organisation.state_reason,
		plan: account.planId,
		credit_pence: account.includedPence + account.prepaidPence,
		overage_pence: account.overagePence,
		free_units_used: account.freeUnitsUsed,
		period: account.period,
		created_at: isoOrNull(organisation.created_at)
	};
}

// src/feeds/verbs.ts
/** What stands behind `assayd feeds …` and `assayd intel …`: each verb gives data, and a function shows it as text. */
/** Says to the operator what cannot be done and what can. */
var VerbRefused = class extends Error {
	constructor(message) {
		super(message);
		this.name = "VerbRefused";
	}
};
/** Puts the catalogue's entries into the database: new ones are added, known ones updated. */
async function loadCatalogue({ sql, clock }, options) {
	const feeds = readCatalogue(options.catalogue);
	const baseDir = options.from === void 0 ? void 0 : resolve(options.from);
	await createFeedStore(sql).save(feeds, baseDir, clock.now(), { keepLocal: options.keepLocal ?? false });
	return feeds;
}
async function feedsSync(dependencies, options) {
	const catalogue = await loadCatalogue(dependencies, options);
	const states = await createFeedStore(dependencies.sql).list();
	const wanted = new Set(options.only ?? []);
	for (const id of wanted) if (!states.some((state) => state.feed.id === id)) throw new VerbRefused(`There is no feed ${id}.`);
	const named = new Set(catalogue.map((feed) => feed.id));
	const chosen = states.filter(({ feed, enabled }) => wanted.size > 0 ? wanted.has(feed.id) : isOn({
		feed,
		enabled
	}, dependencies.keys ?? {}) && named.has(feed.id));
	const outcomes = await dependencies.sql.tryLock(jobLock(FEEDS_JOB), () => syncFeeds(dependencies, chosen, {
		accept: options.accept ?? false,
		...options.onOutcome && { onOutcome: options.onOutcome }
	}));
	if (!outcomes) throw new VerbRefused("A server is refreshing the feeds right now; try again in a few minutes.");
	return outcomes;
}
function feedsList({ sql }) {
	return createFeedStore(sql).list();
}
/** Adds a feed, or changes one, from a catalogue entry. */
async function feedsAdd({ sql, clock }, entry, options = {}) {
	const checked = checkFeed(entry);
	if ("problems" in checked) throw new CatalogueInvalid("entry", checked.problems);
	const baseDir = options.from === void 0 ? void 0 : resolve(options.from);
	await createFeedStore(sql).save([checked.feed], baseDir, clock.now());
	return checked.feed;
}
async function feedsSetEnabled({ sql, clock }, id, enabled) {
	const store = createFeedStore(sql);
	await store.setEnabled(id, enabled, clock.now());
	const state = await store.find(id);
	if (!state) throw new VerbRefused(`There is no feed ${id}; see assayd feeds list.`);
	return state;
}
const intelCompile = compileAndPublish;
function intelInspect(snapshot) {
	const { version, builtAtMs, counts, sources } = snapshot.info;
	return {
		version,
		builtAtMs,
		bytes: snapshot.bytes,
		counts,
		sources,
		dropped: snapshot.dropped
	};
}
/** Opens a published snapshot by version, or any file by its path. */
function openNamed(dataDir, name) {
	return openSnapshot(name.includes("/") || name.includes(".") ? name : snapshotFile(dataDir, name));
}
/** The snapshot of the packages alone, which answers until the first is published. */
function openBundledSnapshot({ dataDir, clock }) {
	return openBundled(dataDir, clock, () => {});
}
function intelDiff(a, b) {
	const rows = (snapshot) => new Map(snapshot.info.sources.map(({ id, rows: count }) => [id, count]));
	const before = rows(a);
	const after = rows(b);
	const ids = [.../* @__PURE__ */ new Set([...before.keys(), ...after.keys()])].sort();
	return {
		from: a.info.version,
		to: b.info.version,
		domains: diffTables(a.slots("domain"), b.slots("domain")),
		emails: diffTables(a.slots("email"), b.slots("email")),
		ipv4Ranges: {
			before: a.info.counts.ipv4,
			after: b.info.counts.ipv4
		},
		ipv6Ranges: {
			before: a.info.counts.ipv6,
			after: b.info.counts.ipv6
		},
		sources: ids.map((id) => ({
			id,
			before: before.get(id) ?? 0,
			after: after.get(id) ?? 0
		})).filter((source) => source.before !== source.after)
	};
}
/** Both tables are in ascending order of key, so one walk tells what came and what went. */
function diffTables(a, b) {
	const counts = {
		before: 0,
		after: 0,
		added: 0,
		removed: 0
	};
	const next = (slots, from) => {
		let at = from;
		while (at < slots.length && slots[at + 2] === 0) at += 3;
		return at;
	};
	let i = next(a, 0);
	let j = next(b, 0);
	while (i < a.length || j < b.length) {
		const order = i >= a.length ? 1 : j >= b.length ? -1 : a[i] - b[j] || a[i + 1] - b[j + 1];
		if (order < 0) counts.removed++;
		if (order > 0) counts.added++;
		if (order <= 0) {
			counts.before++;
			i = next(a, i + 3);
		}
		if (order >= 0) {
			counts.after++;
			j = next(b, j + 3);
		}
	}
	return counts;
}
function intelLookup(snapshot, text) {
	const indicator = text.trim().toLowerCase();
	const { version } = snapshot.info;
	const ip = parseIp(indicator);
	if (ip) {
		const name = formatIp(ip);
		const evidence = snapshot.ip(ip);
		return {
			kind: "ip",
			indicator: name,
			version,
			found: evidence.length > 0 ? [{
				name,
				evidence
			}] : [],
			asn: snapshot.asn(ip),
			density: snapshot.density(ip)
		};
	}
	const at = indicator.lastIndexOf("@");
	const host = normaliseHost(indicator.slice(at + 1));
	if (!("name" in host)) throw new VerbRefused(`${text} is neither an email address, a domain nor an IP address.`);
	const found = [];
	const address = at < 0 ? void 0 : `${indicator.slice(0, at)}@${host.name}`;
	if (address !== void 0) found.push({
		name: address,
		evidence: snapshot.email(address)
	});
	for (let name = host.name; name.includes("."); name = name.slice(name.indexOf(".") + 1)) found.push({
		name,
		evidence: snapshot.domain(name)
	});
	return {
		kind: address === void 0 ? "domain" : "email",
		indicator: address ?? host.name,
		version,
		found: found.filter(({ evidence }) => evidence.length > 0),
		asn: void 0,
		density: void 0
	};
}
async function intelRollback({ sql, clock }) {
	const change = await rollbackSnapshot(sql, clock);
	if (change) return change;
	const published = await publishedSnapshots(sql);
	throw new VerbRefused(published.length === 0 ? "No snapshot has been published; nodes answer from the bundled one." : "There is no earlier snapshot to go back to.");
}
/** `off: needs …` where only the key is missing. */
function switchText(state, keys) {
	if (isOn(state, keys)) return "on";
	return state.enabled ? `off: needs ${missingKey(state.feed, keys)}` : "off";
}
function formatFeeds(states, keys = {}) {
	return textTable([
		"feed",
		"on",
		"tags",
		"licence",
		"commercial",
		"every",
		"name",
		"note"
	], states.map((state) => {
		const { feed } = state;
		return [
			feed.id,
			switchText(state, keys),
			feed.tags.join(","),
			feed.licence,
			feed.commercial_use ? "yes" : "no",
			`${feed.refresh_hours} h`,
			feed.name,
			feed.note ?? ""
		];
	}));
}
function formatStatus(states, nowMs, keys = {}) {
	return textTable([
		"feed",
		"on",
		"rows",
		"age",
		"next",
		"junk",
		"trouble"
	], states.map((state) => [
		state.feed.id,
		switchText(state, keys),
		state.rows === void 0 ? "-" : String(state.rows),
		state.fetchedAtMs === void 0 ? "never" : duration(nowMs - state.fetchedAtMs),
		isOn(state, keys) ? duration(state.nextDueAtMs - nowMs) : "-",
		String(Object.values(state.junk).reduce((sum, count) => sum + count, 0)),
		state.held ? `held back: ${state.held.rows} rows after ${state.held.previous_rows}; take it with feeds sync --accept` : state.lastError ?? ""
	]));
}
function formatOutcomes(outcomes) {
	return textTable([
		"feed",
		"outcome",
		"rows",
		"junk",
		""
	], outcomes.map(({ id, status, rows, junk, detail }) => [
		id,
		status,
		rows === void 0 ? "-" : String(rows),
		Object.entries(junk).map(([reason, count]) => `${reason} ${count}`).join(", "),
		detail ?? ""
	]));
}
function formatInspection({ version, builtAtMs, bytes, counts, sources, dropped }) {
	const left = Object.entries(dropped).filter(([, count]) => count > 0).map(([reason, count]) => `${reason} ${count}`).join(", ");
	return [
		`version  ${version}`,
		`built    ${iso(builtAtMs)}`,
		`size     ${(bytes / 1e6).toFixed(1)} MB`,
		`holds    ${counts.domains} domains, ${counts.emails} emails, ${counts.ipv4} IPv4 and ${counts.ipv6} IPv6 ranges`,
		`left out ${left === "" ? "nothing" : left}`,
		"",
		textTable([
			"source",
			"rows",
			"as of",
			"licence"
		], sources.map((source) => [
			source.id,
			String(source.rows),
			isoDay(source.asOfMs),
			source.licence
		]))
	].join("\n");
}
function formatDiff(diff) {
	const line = (name, { before, after, added, removed }) => `${name.padEnd(8)} ${before} → ${after} (+${added} −${removed})`;
	return [
		`${diff.from} → ${diff.to}`,
		line("domains", diff.domains),
		line("emails", diff.emails),
		`IPv4     ${diff.ipv4Ranges.before} → ${diff.ipv4Ranges.after} ranges`,
		`IPv6     ${diff.ipv6Ranges.before} → ${diff.ipv6Ranges.after} ranges`,
		"",
		textTable([
			"source",
			"before",
			"after"
		], diff.sources.map(({ id, before, after }) => [
			id,
			String(before),
			String(after)
		]))
	].join("\n");
}
function formatLookup({ kind, indicator, version, found, asn, density }) {
	const lines = [`${kind} ${indicator} in ${version}`];
	if (found.length === 0) lines.push("not listed");
	for (const { name, evidence } of found) lines.push("", name, textTable([
		"  source",
		"tag",
		"first seen",
		"last seen",
		"confidence"
	], evidence.map((item) => [
		`  ${item.source}`,
		item.tag,
		item.firstSeenMs === void 0 ? "-" : isoDay(item.firstSeenMs),
		isoDay(item.lastSeenMs),
		item.confidence.toFixed(2)
	])));
	if (asn) lines.push("", `AS${asn.number} ${asn.name}${asn.country === void 0 ? "" : ` (${asn.country})`}${asn.evidence.map(({ tag }) => ` [${tag}]`).join("")}`);
	if (density) lines.push(`near ${density.near} listed, ${density.asnPer10k.toFixed(1)} per 10,000 in the AS`);
	return lines.join("\n");
}
function duration(ms) {
	if (ms <= 0) return "now";
	const minutes = Math.round(ms / 6e4);
	if (minutes < 120) return `${minutes} min`;
	const hours = Math.round(minutes / 60);
	return hours < 72 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}

// src/identity/audit-verbs.ts
const ROWS = 100;
/** By a verb the operator is nobody in particular; on the operator's pages, a person. */
const whoActed = ({ actor_kind: kind, actor_name: name, actor_id: id }) => kind === "operator" && name === null ? kind : `${kind} ${name ?? id}`;
function registerAuditVerbs(program, context) {
	const audit = program.command("audit").description("who changed what");
	verb(audit, "list", `show the last ${ROWS} changes, newest first`).option("--org <id>", "only those of one organisation").action(async (options) => {
		await withStore(context, async ({ sql }) => {
			if (options.org !== void 0) await requireOrganisation(sql, options.org);
			const { rows } = await readAudit(sql, {
				organisationId: options.org,
				limit: ROWS
			});
			const views = rows.map((row) => ({
				...row,
				created_at: isoOrNull(row.created_at)
			}));
			print(context, options.json, views, () => table([
				"WHEN",
				"ORGANISATION",
				"WHO",
				"ACTION",
				"TARGET",
				"DETAIL"
			], rows.map((row) => [
				dateText(row.created_at),
				row.organisation_id || "-",
				whoActed(row),
				row.action,
				row.target_id ?? "-",
				JSON.stringify(row.detail)
			]), "Nothing has been changed yet."));
		});
	});
}

// src/identity/clients/verbs.ts
function registerClientVerbs(program, context) {
	const client = program.command("client").description("applications that get tokens by OAuth");
	const rules = () => ({ production: context.config().production });
	verb(client, "create", "register an application; a secret is shown this once").requiredOption("--org <id>", "organisation that owns it").requiredOption("--kind <kind>", CLIENT_KIND_NAMES.join(", ")).requiredOption("--name <name>", "its name, as people see it when they consent").requiredOption("--scope <scopes>", "all it may ever ask for, separated by blanks", wordsOf).option("--redirect-uri <uri>", "where people are sent back to; may be repeated", collect, []).option("--logout-uri <uri>", "where people are sent after signing out; may be repeated", collect, []).option("--jwks <file>", "public JSON Web Key Set: authenticates by its own key instead of a secret", readKeySet).action(async (options) => {
		await withStore(context, async ({ change }) => {
			const { client: made, secret } = await change((tx) => createClient(tx, operatorIn(options.org), {
				kind: options.kind,
				name: options.name,
				scopes: options.scope,
				redirectUris: options.redirectUri,
				logoutUris: options.logoutUri,
				jwks: options.jwks
			}, rules()));
			print(context, options.json, {
				...view$2(made),
				...secret === null ? {} : { client_secret: secret }
			}, () => [`Client ${made.id} (${made.kind}).`, secret === null ? "It has no secret: it is public, or proves itself with its own key." : `Secret, shown this once: ${secret}`].join("\n"));
		});
	});
	verb(client, "list", "show applications").option("--org <id>", "only those of one organisation").action(async (options) => {
		await withStore(context, async ({ sql }) => {
			if (options.org !== void 0) await requireOrganisation(sql, options.org);
			const { rows } = await listClients(sql, options.org, { limit: LIST_ROWS_MAX });
			print(context, options.json, rows.map(view$2), () => table([
				"CLIENT",
				"ORGANISATION",
				"KIND",
				"NAME",
				"STATE",
				"CREATED",
				"SCOPES"
			], rows.map((row) => [
				row.id,
				row.organisation_id,
				row.kind,
				row.name,
				row.state,
				dateText(row.created_at),
				row.scopes.join(" ")
			]), "There is no client yet: assayd client create --org ID --kind service --name NAME --scope \"risk:payment\""));
		});
	});
	verb(client, "show", "show one application").argument("[client]", "client id").option("--client <id>", "the same, by name").action(async (argument, options) => {
		const id = clientIdOf(argument, options);
		await withStore(context, async ({ sql }) => {
			const found = view$2(await requireClient(sql, { id }));
			print(context, options.json, found, () => Object.entries(found).map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(" ") : value}`).join("\n"));
		});
	});
	/** A verb that changes one application and tells the running nodes. */
	function changing(name, about, work, shown) {
		verb(client, name, about).argument("[client]", "client id").option("--client <id>", "the same, by name").action(async (argument, options) => {
			const id = clientIdOf(argument, options);
			await withStore(context, async ({ sql, change }) => {
				const result = await change(async (tx) => {
					const { organisation_id: organisationId } = await requireClient(tx, { id });
					return work(tx, operatorIn(organisationId), id);
				});
				await announceClientChange(sql, id);
				const { value, line } = shown(result, id);
				print(context, options.json, value, () => line);
			});
		});
	}
	changing("rotate-secret", "give a new secret; the old one stops at once", rotateClientSecret, (rotated, id) => ({
		value: {
			...view$2(rotated.client),
			client_secret: rotated.secret
		},
		line: `Client ${id}. Secret, shown this once: ${rotated.secret}`
	}));
	for (const [name, state, about] of [[
		"disable",
		"disabled",
		"stop an application and its tokens"
	], [
		"enable",
		"active",
		"let an application work again"
	]]) changing(name, about, (tx, actor, id) => changeClient(tx, actor, id, { state }, rules()), (changed, id) => ({
		value: view$2(changed),
		line: `Client ${id} is ${changed.state}.`
	}));
	changing("delete", "remove an application and everything issued to it", deleteClient, (_, id) => ({
		value: {
			client_id: id,
			deleted: true
		},
		line: `Client ${id} is gone.`
	}));
}
function clientIdOf(argument, options) {
	const id = argument ?? options.client;
	if (id === void 0 || argument !== void 0 && options.client !== void 0 && argument !== options.client) throw new OperatorError("Name one client: its id, or --client ID.");
	return id;
}
const collect = (value, before) => [...before, value];
function readKeySet(file) {
	try {
		return JSON.parse(readFileSync(file, "utf8"));
	} catch (error) {
		throw new OperatorError(`--jwks: ${file} cannot be read as JSON (${error.message}).`);
	}
}
function view$2(client) {
	return {
		client_id: client.id,
		organisation_id: client.organisation_id,
		kind: client.kind,
		name: client.name,
		scope: client.scopes.join(" "),
		redirect_uris: client.redirect_uris,
		logout_uris: client.logout_uris,
		authentication: authenticationOf(client),
		state: client.state,
		created_at: isoOrNull(client.created_at)
	};
}

// src/identity/keys/verbs.ts
const graceHours = wholeNumber("--grace-hours", 0, GRACE_HOURS_MAX);
function registerKeyVerbs(program, context) {
	const key = program.command("key").description("API keys of an organisation");
	verb(key, "create", "make a key; it is shown this once").requiredOption("--org <id>", "organisation").option("--name <name>", "what it is for", "key").option("--scope <scopes>", `of ${KEY_SCOPE_NAMES.join(", ")}; default the four risk scopes`, wordsOf).option("--expires-days <n>", "days until it ends", wholeNumber("--expires-days", 1, 3650)).action(async (options) => {
		await withStore(context, async ({ change }) => {
			const made = await change((tx) => createKey(tx, operatorIn(options.org), {
				name: options.name,
				scopes: options.scope,
				expiresAtMs: options.expiresDays === void 0 ? null : tx.nowMs + options.expiresDays * DAY_MS
			}));
			print(context, options.json, {
				...view$1(made.key),
				api_key: made.secret
			}, () => `API key ${made.key.id}, shown this once: ${made.secret}`);
		});
	});
	verb(key, "list", "show the keys of an organisation").requiredOption("--org <id>", "organisation").action(async (options) => {
		await withStore(context, async ({ sql }) => {
			await requireOrganisation(sql, options.org);
			const { rows } = await listKeys(sql, options.org, { limit: LIST_ROWS_MAX });
			print(context, options.json, rows.map(view$1), () => table([
				"KEY",
				"NAME",
				"STARTS WITH",
				"CREATED",
				"LAST USED",
				"ENDS",
				"SCOPES"
			], rows.map((row) => [
				row.id,
				row.name,
				`${row.hint}…`,
				dateText(row.created_at),
				dateText(row.last_used_at),
				row.revoked_at === null ? dateText(row.expires_at) : `revoked ${dateText(row.revoked_at)}`,
				row.scopes.join(" ")
			]), "There is no key yet: assayd key create --org ID"));
		});
	});
	verb(key, "rotate", "replace a key; both work during the grace period").requiredOption("--key <id>", "id of the key to replace").option("--grace-hours <n>", "how long the old one goes on working", graceHours, 24).action(async (options) => {
		await withStore(context, async ({ change }) => {
			const rotated = await change(async (tx) => {
				const { organisation_id: organisationId } = await requireKey(tx, { id: options.key });
				return rotateKey(tx, operatorIn(organisationId), options.key, options.graceHours);
			});
			const result = {
				...view$1(rotated.key),
				api_key: rotated.secret,
				replaces: view$1(rotated.old)
			};
			print(context, options.json, result, () => [`API key ${rotated.key.id}, shown this once: ${rotated.secret}`, `The old key ${rotated.old.id} works until ${dateText(rotated.old.revoked_at ?? rotated.old.expires_at)} UTC.`].join("\n"));
		});
	});
	verb(key, "revoke", "end a key at once").requiredOption("--key <id>", "id of the key").action(async (options) => {
		await withStore(context, async ({ change }) => {
			const revoked = await change(async (tx) => {
				const { organisation_id: organisationId } = await requireKey(tx, { id: options.key });
				return revokeKey(tx, operatorIn(organisationId), options.key);
			});
			print(context, options.json, view$1(revoked), () => `Key ${revoked.id} is revoked.`);
		});
	});
}
function view$1(key) {
	return {
		api_key_id: key.id,
		organisation_id: key.organisation_id,
		name: key.name,
		hint: key.hint,
		scopes: key.scopes,
		created_at: isoOrNull(key.created_at),
		expires_at: isoOrNull(key.expires_at),
		last_used_at: isoOrNull(key.last_used_at),
		revoked_at: isoOrNull(key.revoked_at)
	};
}

// src/identity/people/verbs.ts
const PASSWORD_BYTES_MAX = 4096;
const ROLE_HELP = ROLE_NAMES.join(", ");
const roleOf = oneOfWords("--role", ROLE_NAMES);
function registerUserVerbs(program, context) {
	const user = program.command("user").description("people who sign in");
	/** Changes a person in one transaction, tells the running nodes, and prints the person as they are now. */
	async function change(options, work, line, more = {}) {
		await withStore(context, async (store) => {
			await store.change(async (tx) => work(tx, await requirePersonByEmail(tx, options.email)));
			await announcePersonChange(store.sql);
			const person = await requirePersonByEmail(store.sql, options.email);
			print(context, options.json, {
				...await view(store.sql, person),
				...more
			}, () => line(person));
		});
	}
	verb(user, "create", "add a person; without --password-stdin a password is made and shown this once").requiredOption("--email <email>", "what they sign in with").requiredOption("--name <name>", "their name").requiredOption("--org <id>", "organisation they belong to").option("--role <role>", ROLE_HELP, roleOf, "developer").option("--email-verified", "you know that the address is theirs").option("--password-stdin", "read the password from standard input").action(async (options) => {
		await withStore(context, async (store) => {
			await requireOrganisation(store.sql, options.org);
			const { passwordHash, shown } = await choosePassword(options.passwordStdin);
			const person = await store.change(async (tx) => {
				const { email, name, emailVerified = false, org, role } = options;
				const made = await createPerson(tx, {
					email,
					name,
					emailVerified,
					passwordHash
				});
				await addMember(tx, operatorIn(org), {
					personId: made.id,
					role
				});
				return made;
			});
			print(context, options.json, {
				...await view(store.sql, person),
				...shown
			}, () => [`User ${person.id} (${person.email}), ${options.role} of ${options.org}.`, ...shown.password === void 0 ? [] : [`Password, shown this once: ${shown.password}`]].join("\n"));
		});
	});
	verb(user, "list", "show people").option("--org <id>", "only those of one organisation").action(async (options) => {
		await withStore(context, async ({ sql }) => {
			if (options.org !== void 0) await requireOrganisation(sql, options.org);
			const people = await listPeople(sql, {
				organisationId: options.org,
				limit: LIST_ROWS_MAX
			});
			const views = await Promise.all(people.map((person) => view(sql, person)));
			print(context, options.json, views, () => table([
				"USER",
				"EMAIL",
				"NAME",
				"STATE",
				"CREATED",
				"ORGANISATIONS"
			], people.map((row, i) => [
				row.id,
				row.email,
				row.name,
				row.state,
				dateText(row.created_at),
				views[i]?.organisations.map(({ id, role }) => `${id} (${role})`).join(" ") ?? ""
			]), "There is nobody yet: assayd user create --email EMAIL --name NAME --org ID"));
		});
	});
	verb(user, "reset-password", "give a new password; sessions and what applications were allowed to do end").argument("[email]", "whose").option("--email <email>", "the same, by name").option("--password-stdin", "read the password from standard input").action(async (argument, options) => {
		const { passwordHash, shown } = await choosePassword(options.passwordStdin);
		await change({
			...options,
			email: argument ?? options.email ?? ""
		}, (tx, person) => resetPassword(tx, person.id, passwordHash), ({ email }) => shown.password === void 0 ? `The password of ${email} is changed.` : `Password of ${email}, shown this once: ${shown.password}`, shown);
	});
	verb(user, "join", "add a person to an organisation, or change their role there").requiredOption("--email <email>", "who").requiredOption("--org <id>", "organisation").option("--role <role>", ROLE_HELP, roleOf, "developer").action((options) => change(options, (tx, person) => setRole(tx, operatorIn(options.org), {
		personId: person.id,
		role: options.role
	}), ({ email }) => `${email} is ${options.role} of ${options.org}.`));
	verb(user, "leave", "take a person out of an organisation; their tokens there stop").requiredOption("--email <email>", "who").requiredOption("--org <id>", "organisation").action((options) => change(options, (tx, person) => removeMember(tx, operatorIn(options.org), person.id), ({ email }) => `${email} has left ${options.org}.`));
	verb(user, "operator", "let a person look after every organisation in the console, as these verbs do; with --off, no longer").requiredOption("--email <email>", "who").option("--off", "no longer").action((options) => {
		const on = options.off !== true;
		return change(options, (tx, person) => setOperator(tx, person.id, on), ({ email }) => on ? `${email} looks after every organisation.` : `${email} sees their own organisations only.`, { operator: on });
	});
	for (const [name, work, about] of [[
		"disable",
		disablePerson,
		"stop a person from signing in; their sessions and tokens end"
	], [
		"enable",
		enablePerson,
		"let a person sign in again"
	]]) verb(user, name, about).requiredOption("--email <email>", "who").action((options) => change(options, (tx, person) => work(tx, person.id), ({ email, state }) => `${email} is ${state}.`));
}
/** From standard input, never from the command line, where other users of the machine could read it. */
async function choosePassword(fromStdin) {
	if (!fromStdin) {
		const password = newPassword();
		return {
			passwordHash: await hashPassword(password),
			shown: { password }
		};
	}
	let text = "";
	for await (const chunk of process.stdin) {
		text += chunk;
		if (text.length > PASSWORD_BYTES_MAX) throw new OperatorError("--password-stdin: that is too long for a password.");
	}
	const password = text.replace(/\r?\n$/, "");
	const problem = passwordProblem(password);
	if (problem) throw new OperatorError(`--password-stdin: the password ${problem}.`);
	return {
		passwordHash: await hashPassword(password),
		shown: {}
	};
}
async function view(sql, person) {
	return {
		user_id: person.id,
		email: person.email,
		email_verified: person.email_verified,
		name: person.name,
		state: person.state,
		organisations: (await organisationsOf(sql, person.id)).map(({ id, name, role, state }) => ({
			id,
			name,
			role,
			state
		})),
		created_at: isoOrNull(person.created_at)
	};
}

// src/live/verbs.ts
function registerLiveVerbs(program, context) {
	const live = program.command("live").description("live facts: registration, DNS and mail set-up of names");
	verb(live, "lookup <name>", "look a domain or an IP address up as a check would; what is seen is kept for checks").option("--fresh", "look again at what is known already").action(async (text, options) => {
		const { kind, name } = readName(text);
		const config = context.config();
		const settings = liveSettingsOf(config);
		const questions = questionsAbout(kind, name, new Set(settings.sorts));
		if (questions.length === 0) throw new OperatorError(`${name}: there is nothing to look up; it is not public, or every look-up is switched off.`);
		const observers = createObservers(settings, systemClock);
		try {
			const looks = await withStore(context, async ({ sql, clock }) => {
				const registries = await readBootstrap(sql, clock.now());
				if (registries) observers.useBootstrap(registries.text);
				const known = options.fresh ? [] : await readFacts(sql, questions, clock.now());
				const { looks, rows } = await lookAt(questions, known, observers, clock.now());
				await writeFacts(sql, rows);
				return looks;
			});
			const servers = await observers.servers();
			const result = {
				name,
				live: config.live,
				looks,
				servers
			};
			print(context, options.json, result, () => textOf(result));
			if (looks.some(({ failed }) => failed !== void 0)) context.exitCode = 2;
		} finally {
			await observers.close();
		}
	});
}
function readName(text) {
	const ip = parseIp(text.trim());
	if (ip) return {
		kind: "ip",
		name: formatIp(ip)
	};
	const host = normaliseHost(text);
	if ("name" in host) return {
		kind: "domain",
		name: host.name
	};
	throw new OperatorError(`${JSON.stringify(text)} is neither a domain nor an IP address. Of a mailbox only the domain is ever looked up: give that.`);
}
async function lookAt(questions, known, observers, nowMs) {
	const rows = [];
	return {
		looks: await Promise.all(questions.map(async ({ sort, name }) => {
			const row = known.find((one) => one.sort === sort && one.name === name);
			if (row) return shown(row, {
				sort,
				name,
				from: "database"
			});
			const begun = performance.now();
			const seen = await observers.observe(sort, name, { urgent: true });
			const took_ms = Math.round(performance.now() - begun);
			if (seen.outcome === "failed") return {
				sort,
				name,
				from: "network",
				took_ms,
				failed: seen.why
			};
			const fresh = {
				sort,
				name,
				value: `{"seenMs":${nowMs},${seen.value.slice(1)}`,
				seenMs: nowMs,
				expiresMs: nowMs + seen.keepMs
			};
			rows.push(fresh);
			return shown(fresh, {
				sort,
				name,
				from: "network",
				took_ms
			});
		})),
		rows
	};
}
function shown({ value, seenMs, expiresMs }, how) {
	return {
		...how,
		seen_at: iso(seenMs),
		expires_at: iso(expiresMs),
		fact: JSON.parse(value)
	};
}
const TITLES = {
	registration: "Registration",
	zone: "DNS zone",
	host: "Addresses",
	certificate: "Certificate",
	reverse: "Reverse DNS"
};
function textOf({ name, live, looks, servers }) {
	const parts = looks.map((look) => {
		const how = look.from === "database" ? `known since ${look.seen_at}` : `looked up in ${look.took_ms} ms`;
		return [`${TITLES[look.sort]} of ${look.name}: ${look.failed === void 0 ? how : `no answer (${look.failed})`}`, ...linesOf(look.fact)].join("\n  ");
	});
	if (servers.length > 0) parts.push(textTable(["Server", "State"], servers.map(serverRow)));
	if (live === "off") parts.push(`ASSAY_LIVE is off: checks of ${name} do not use these facts.`);
	return parts.join("\n\n");
}
const serverRow = ({ server, closedMs }) => [server, closedMs > 0 ? `not asked for another ${Math.ceil(closedMs / 1e3)} s` : "asked"];
/** `expiresMs` is a time; an empty list says that there is nothing. */
function linesOf(fact) {
	if (typeof fact !== "object" || fact === null) return [];
	const rows = Object.entries(fact).filter(([key]) => key !== "seenMs").map(([key, value]) => [wordsIn(key.replace(/Ms$/, "")), valueText(key, value)]);
	return textTable(["", ""], rows).split("\n").slice(1);
}
function valueText(key, value) {
	if (key.endsWith("Ms") && typeof value === "number") return iso(value);
	if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ");
	return typeof value === "object" ? JSON.stringify(value) : String(value);
}
function wordsIn(key) {
	return key.replace(/S$/, " in seconds").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

// src/operator/backup.ts
function registerBackup(program, context) {
	verb(program, "backup", "copy the SQLite database into a file while the server runs").requiredOption("--to <file>", "where to; must not exist yet").action(async (options) => {
		const file = resolve(options.to);
		if (existsSync(file)) throw new OperatorError(`--to: ${file} exists already. Choose another name.`);
		await withStore(context, async ({ sql }) => {
			if (!sql.backup) throw new OperatorError("This database is PostgreSQL: back it up with pg_dump or your provider’s snapshots.");
			await sql.backup(file);
			print(context, options.json, { file }, () => `The database is copied to ${file}. Keep the secret with it.`);
		});
	});
}

// src/operator/feeds.ts
/** `assayd feeds …`: where intelligence comes from. `assayd intel …`: what has become of it. */
async function withFeeds(context, fn) {
	const fetcher = createFetcher();
	const { ASSAY_DATA_DIR: dataDir, feedKeys: keys } = context.config();
	try {
		return await withStore(context, ({ sql, clock }) => fn({
			sql,
			dataDir,
			clock,
			fetcher,
			keys
		}));
	} finally {
		await fetcher.close();
	}
}
function registerFeeds(program, context) {
	const feeds = program.command("feeds").description("feeds: where the intelligence comes from");
	const catalogueOf = (options) => options.catalogue ?? context.config().ASSAY_FEEDS_FILE;
	verb(feeds, "list", "show the feeds of the catalogue").option("--catalogue <file>", "another catalogue than the configured one").action((options) => withFeeds(context, async (deps) => {
		await loadCatalogue(deps, {
			catalogue: catalogueOf(options),
			keepLocal: true
		});
		const states = await feedsList(deps);
		print(context, options.json, states, () => formatFeeds(states, deps.keys));
	}));
	verb(feeds, "sync", "fetch the enabled feeds now; \"intel compile\" then makes a snapshot of them").option("--catalogue <file>", "another catalogue than the configured one").option("--from <dir>", "folder below which relative addresses of the catalogue lie").option("--only <id...>", "only these feeds").option("--accept", "take copies that were held back for having shrunk or grown too much").action((options) => withFeeds(context, async (deps) => {
		const outcomes = await feedsSync(deps, {
			...options,
			catalogue: catalogueOf(options)
		});
		print(context, options.json, outcomes, () => formatOutcomes(outcomes));
		if (outcomes.some(({ status }) => status === "failed")) context.exitCode = 2;
	}));
	verb(feeds, "status", "rows, age and last error of each feed").action((options) => withFeeds(context, async (deps) => {
		const states = await feedsList(deps);
		print(context, options.json, states, () => states.length === 0 ? "No feed was ever synced: assayd feeds sync" : formatStatus(states, deps.clock.now(), deps.keys));
	}));
	verb(feeds, "add", "add a feed, or change one, from a catalogue entry").argument("<file>", "a JSON file with one entry, as in feeds.json").option("--from <dir>", "folder below which a relative address lies").action((file, options) => withFeeds(context, async (deps) => {
		const feed = await feedsAdd(deps, readEntry(file), options);
		print(context, options.json, feed, () => `Feed ${feed.id} is in the catalogue. Fetch it: assayd feeds sync --only ${feed.id}`);
	}));
	for (const [name, enabled, about] of [[
		"enable",
		true,
		"switch a feed on"
	], [
		"disable",
		false,
		"switch a feed off; the next snapshot is without it"
	]]) verb(feeds, name, about).argument("<id>", "the feed").action((id, options) => withFeeds(context, async (deps) => {
		const state = await feedsSetEnabled(deps, id, enabled);
		const on = isOn(state, deps.keys ?? {});
		print(context, options.json, {
			id,
			enabled,
			on
		}, () => enabled && !on ? `Feed ${id} is enabled, but stays off until ${state.feed.key} is set.` : `Feed ${id} is ${on ? "on" : "off"}.`);
	}));
}
function registerIntel(program, context) {
	const intel = program.command("intel").description("the compiled snapshot that answers");
	verb(intel, "compile", "compile the copies of all enabled feeds and make the result current on every node").action((options) => withFeeds(context, async (deps) => {
		const result = await intelCompile(deps);
		print(context, options.json, result, () => `Snapshot ${result.info.version} of ${result.feeds} feeds is current.`);
	}));
	verb(intel, "inspect", "what a snapshot holds").argument("[version]", "a version or a file; the current one if left out").action((version, options) => withFeeds(context, async (deps) => {
		const inspection = intelInspect(await openChosen(deps, version));
		print(context, options.json, inspection, () => formatInspection(inspection));
	}));
	verb(intel, "diff", "what changed between two snapshots").argument("<from>", "a version or a file").argument("[to]", "a version or a file; the current one if left out").action((from, to, options) => withFeeds(context, async (deps) => {
		const diff = intelDiff(openNamed(deps.dataDir, from), await openChosen(deps, to));
		print(context, options.json, diff, () => formatDiff(diff));
	}));
	verb(intel, "lookup", "everything the current snapshot has on an indicator").argument("<indicator>", "an email address, a domain or an IP address").action((indicator, options) => withFeeds(context, async (deps) => {
		const found = intelLookup(await openChosen(deps, void 0), indicator);
		print(context, options.json, found, () => formatLookup(found));
	}));
	verb(intel, "rollback", "go back to the snapshot before").action((options) => withFeeds(context, async (deps) => {
		const change = await intelRollback(deps);
		print(context, options.json, change, () => `Back from ${change.from} to ${change.to}.`);
	}));
}
async function openChosen(deps, version) {
	if (version !== void 0) return openNamed(deps.dataDir, version);
	const [current] = await publishedSnapshots(deps.sql);
	return current ? openNamed(deps.dataDir, current.version) : openBundledSnapshot(deps);
}
function readEntry(file) {
	try {
		return JSON.parse(readFileSync(file, "utf8"));
	} catch (error) {
		throw new OperatorError(`${file} cannot be read as JSON: ${error.message}`);
	}
}

// src/operator/migrate.ts
function registerMigrate(program, context) {
	verb(program, "migrate", "bring the database up to date").action(async (options) => {
		const sql = await openConfigured(context.config());
		try {
			const result = {
				engine: sql.engine,
				...await migrate(sql)
			};
			print(context, options.json, result, () => result.applied.length === 0 ? `The ${result.engine} database is up to date.` : `Applied to ${result.engine}: ${result.applied.join(", ")}.`);
		} finally {
			await sql.close();
		}
	});
}

// src/operator/oauth.ts
function registerOAuthVerbs(program, context) {
	const oauth = program.command("oauth").description("the OAuth server itself");
	verb(oauth, "rotate-keys", "sign ID tokens with a new key; the old ones stay published until nothing needs them").action(async (options) => {
		await withStore(context, async ({ sql, clock, change }) => {
			const sealer = createSealer(await openConfiguredRing(context.config(), {
				sql,
				clock
			}));
			const nowMs = clock.now();
			await loadSigningKeys(sql, sealer, nowMs);
			const { kid, signsAtMs, retiresAtMs } = await rotateSigningKeys(sql, sealer, nowMs);
			await announceKeyChange(sql);
			await change((tx) => audit(tx, operatorIn(""), "oauth.rotate_keys", kid, {}));
			const result = {
				kid,
				signs_at: isoOrNull(signsAtMs),
				former_keys_retire_at: isoOrNull(retiresAtMs)
			};
			print(context, options.json, result, () => `Key ${kid} is published and signs from ${result.signs_at}; former keys go ${result.former_keys_retire_at}.`);
		});
	});
}

// src/db/reseal.ts
/**
* Sealing anew whatever is kept under a former key. A part names what it keeps sealed; rotation does the rest, a few
* rows at a time, while nodes go on writing: a row that somebody changed meanwhile is left to the next pass.
*/
const ROWS_AT_ONCE = 100;
/**
* Passes over all columns until nothing is left under a former key. `settled` says whether every node seals with the
* present key by now: until then a pass that found nothing proves nothing.
*/
async function resealAll(sql, ring, columns, options) {
	const total = Object.fromEntries(columns.map(({ about }) => [about, {
		resealed: 0,
		unreadable: 0
	}]));
	for (;;) {
		const last = await options.settled();
		let found = 0;
		for (const column of columns) {
			const before = total[column.about]?.resealed ?? 0;
			const pass = await resealColumn(sql, ring, column, (resealed) => options.onProgress?.(column.about, before + resealed));
			found += pass.resealed;
			total[column.about] = {
				resealed: before + pass.resealed,
				unreadable: pass.unreadable
			};
		}
		if (last && found === 0) return total;
	}
}
/** One pass over the rows of a column that are not under the present key. */
async function resealColumn(sql, ring, sealed, onProgress = () => {}) {
	const { table, key, column } = sealed;
	const others = [.../* @__PURE__ */ new Set([...key, ...sealed.reads ?? []])].join(", ");
	const marks = (first) => key.map((_, i) => `$${first + i}`).join(", ");
	const present = prefixOf(ring.present);
	const isSought = `substr(${column}, 1, ${present.length}) <> $1 and (${sealed.where ?? "1 = 1"})`;
	let after;
	let resealed = 0;
	let unreadable = 0;
	for (;;) {
		const page = await sql.query(`select ${others}, case when ${isSought} then ${column} end as ${column} from ${table}
       ${after ? `where (${key.join(", ")}) > (${marks(2)})` : ""}
       order by ${key.join(", ")} limit ${ROWS_AT_ONCE}`, [present, ...after ?? []]);
		const last = page.at(-1);
		if (!last) return {
			resealed,
			unreadable
		};
		after = key.map((name) => last[name] ?? null);
		const rows = page.filter((row) => row[column] !== null);
		if (rows.length === 0) continue;
		const anew = [];
		for (const row of rows) try {
			anew.push({
				row,
				text: await sealed.reseal(row, ring)
			});
		} catch {
			unreadable++;
		}
		const update = `update ${table} set ${column} = $1 where ${column} = $2 and (${key.join(", ")}) = (${marks(3)})`;
		await sql.transaction((tx) => runStatements(tx, anew.map(({ row, text }) => ({
			text: update,
			params: [
				text,
				row[column] ?? null,
				...key.map((name) => row[name] ?? null)
			]
		}))));
		resealed += anew.length;
		onProgress(resealed);
	}
}

// src/operator/secret.ts
/** Everything that is kept sealed or signed: rotation makes it anew under the new key. */
const SEALED_COLUMNS = [
	SEALED_SIGNING_KEYS,
	SEALED_RECORDS,
	SEALED_ANSWERS,
	SIGNED_ANCHORS
];
const WAIT_MS = 250;
const PROGRESS_ROWS = 5e3;
function registerSecretVerbs(program, context) {
	const secret = program.command("secret").description("the secret that everything sealed rests on");
	verb(secret, "show", "say the name of the configured secret, and under which one the database is sealed").action((options) => withStore(context, ({ sql }) => show(context, sql, options.json)));
	verb(secret, "rotate", "replace the secret while the server runs: docs/secret.md").option("--finish", "every node has the new secret: the former one opens nothing any more").action((options) => withStore(context, async (store) => {
		if (!await store.sql.tryLock("secret", async () => {
			await (options.finish ? finish : rotate)(context, store, options.json);
			return true;
		})) throw new OperatorError("The secret is being rotated by another process. Wait until it is done.");
	}));
}
async function show(context, sql, json) {
	const name = secretIdOf(await loadSecret(context.config(), sql));
	const secrets = await readSecrets(sql);
	const result = {
		secret: name,
		opens: secrets.length === 0 || secrets.some(({ id }) => id === name),
		sealed_under: secrets.map(({ id, sinceMs }) => ({
			secret: id,
			since: iso(sinceMs)
		})),
		rotating: secrets.length > 1
	};
	print(context, json, result, () => [
		`The configured secret is ${name}.`,
		...result.sealed_under.map((one) => `The database is sealed under ${one.secret}, since ${one.since}.`),
		...result.opens ? [] : ["The configured secret does not open this database."],
		...result.rotating ? ["The secret is being rotated: either of them works until `assayd secret rotate --finish`."] : []
	].join("\n"));
}
async function rotate(context, { sql, clock }, json) {
	const config = context.config();
	const tell = teller(context, json);
	const secret = await loadSecret(config, sql);
	const ring = await openRingWith(secret, {
		sql,
		clock
	});
	const asked = config.ASSAY_SECRET_NEW;
	if ((await readSecrets(sql)).length === 1) {
		const next = asked ?? nextOf(config);
		if (next === secret) throw new OperatorError("ASSAY_SECRET_NEW: is the present secret. Give another one.");
		await beginReplacing({
			sql,
			clock
		}, {
			former: secret,
			next
		});
		const names = {
			former: secretIdOf(secret),
			next: secretIdOf(next)
		};
		await changeIn(sql, clock, (tx) => audit(tx, operatorIn(""), "secret.rotate", null, names));
		tell("A new sealing key is made and announced. From now on nodes work with the former secret and with the new one.");
	} else tell("A rotation is under way: going on with it.");
	const under = await underWay(sql);
	if (asked !== void 0 && secretIdOf(asked) !== under.next) throw new OperatorError(`ASSAY_SECRET_NEW: is ${secretIdOf(asked)}, and a rotation to ${under.next} is under way. Finish that one first.`);
	const file = putFile(config, under.next);
	const sealed = await resealUnder(ring, {
		sql,
		clock
	}, tell);
	const steps = file === void 0 ? `set ASSAY_SECRET to the new secret (${under.next}) on every node, and restart them one after the other` : `restart the server, which reads the new secret (${under.next}) from ${file}`;
	print(context, json, {
		secret: under.next,
		former: under.former,
		resealed: sealed,
		next_step: steps
	}, () => [
		"Everything is sealed under the new key. Two steps are left:",
		`  1. ${steps};`,
		`  2. then run, with the new secret: assayd secret rotate --finish`,
		`Keep the former secret (${under.former}) for backups made before today.`
	].join("\n"));
}
async function finish(context, { sql, clock }, json) {
	const config = context.config();
	const secret = await loadSecret(config, sql);
	const ring = await openRingWith(secret, {
		sql,
		clock
	});
	const name = secretIdOf(secret);
	const secrets = await readSecrets(sql);
	let resealed = {};
	if (secrets.length > 1) {
		const under = await underWay(sql);
		if (name !== under.next) throw new OperatorError(`ASSAY_SECRET: is the former secret, ${name}. Set the new one, ${under.next}, here and on every node; then repeat this.`);
		resealed = await resealUnder(ring, {
			sql,
			clock
		}, teller(context, json));
		await endReplacing(sql, secret);
		await changeIn(sql, clock, (tx) => audit(tx, operatorIn(""), "secret.finish", null, under));
	}
	rmSync(secretFiles(config).former, { force: true });
	const stale = staleFile(config, name);
	print(context, json, {
		secret: name,
		resealed,
		...stale ? { delete: stale } : {}
	}, () => [secrets.length > 1 ? `The rotation is finished: only the secret ${name} opens the database.` : `There is nothing to finish: only the secret ${name} opens the database.`, ...stale ? [`${stale} holds a secret that is not used any more: delete it.`] : []].join("\n"));
}
/** The new secret of an installation whose secret is in a file. */
function nextOf(config) {
	if (config.ASSAY_SECRET) throw new OperatorError("ASSAY_SECRET_NEW: is missing. Make a secret, keep it where you keep ASSAY_SECRET, and run this again with both: ASSAY_SECRET_NEW=\"$(openssl rand -base64 48)\"");
	const { next } = secretFiles(config);
	makeSecret(next);
	return readSecret(next);
}
/** Where the new secret stands, if it is in a file. */
function putFile(config, nextId) {
	if (config.ASSAY_SECRET) return void 0;
	const files = secretFiles(config);
	if (existsSync(files.next) && secretIdOf(readSecret(files.next)) === nextId) replaceSecret(files);
	return secretIdOf(readSecret(files.secret)) === nextId ? files.secret : void 0;
}
function staleFile(config, name) {
	const { secret } = secretFiles(config);
	return config.ASSAY_SECRET && existsSync(secret) && secretIdOf(readSecret(secret)) !== name ? secret : void 0;
}
async function underWay(sql) {
	const [former, next] = await readSecrets(sql);
	if (!former || !next) throw new Error("no rotation is under way");
	return {
		former: former.id,
		next: next.id
	};
}
async function resealUnder(ring, { sql, clock }, tell) {
	const sealsAtMs = await newestSealsAt(sql, clock.now());
	if (clock.now() < sealsAtMs) tell("Waiting until every node knows the new key.");
	while (clock.now() < sealsAtMs) await setTimeout(WAIT_MS);
	await sealWithNewest(sql);
	const settledAtMs = clock.now() + SETTLED_AFTER_MS;
	await ring.readAgain();
	const steps = /* @__PURE__ */ new Map();
	const passes = await resealAll(sql, ring, SEALED_COLUMNS, {
		async settled() {
			if (clock.now() >= settledAtMs) return true;
			await setTimeout(WAIT_MS);
			return false;
		},
		onProgress(about, resealed) {
			const step = Math.floor(resealed / PROGRESS_ROWS);
			if (step > (steps.get(about) ?? 0)) tell(`${about}: ${resealed} so far`);
			steps.set(about, step);
		}
	});
	for (const [about, { resealed, unreadable }] of Object.entries(passes)) tell(`${about}: ${resealed} sealed anew${unreadable === 0 ? "" : `; ${unreadable} could not be opened, and could not before`}`);
	return passes;
}
/** What a person watches; a program gets one JSON document at the end. */
function teller(context, json) {
	return (line) => {
		if (!json) context.write(`${line}\n`);
	};
}

// src/operator/program.ts
/** Runs one command line; resolves with its exit code. Everything it says goes through the context. */
async function runAssayd(args, context, servers) {
	try {
		await createProgram(context, servers).parseAsync([...args], { from: "user" });
		return context.exitCode;
	} catch (error) {
		if (error instanceof CommanderError) return error.exitCode;
		context.writeError(`${plainly(error)}\n`);
		return 1;
	}
}
function createProgram(context, servers) {
	const program = new Command("assayd").description("Assay: a self-hosted risk-intelligence service").version(VERSION).configureOutput({
		writeOut: context.write,
		writeErr: context.writeError
	}).showHelpAfterError("(assayd --help shows what there is)").exitOverride();
	verb(program, "serve", "start the server").action((options) => servers.serve({ json: options.json ?? false }));
	verb(program, "engine", "serve evaluation alone, for API nodes that set ASSAY_ENGINE_URL").action((options) => servers.engine({ json: options.json ?? false }));
	registerMigrate(program, context);
	registerOrgVerbs(program, context);
	registerKeyVerbs(program, context);
	registerPlanVerbs(program, context);
	registerLedgerVerbs(program, context);
	registerInvoiceVerbs(program, context);
	registerPaymentVerbs(program, context);
	registerBackup(program, context);
	registerFeeds(program, context);
	registerIntel(program, context);
	registerLiveVerbs(program, context);
	registerClientVerbs(program, context);
	registerUserVerbs(program, context);
	registerAuditVerbs(program, context);
	registerOAuthVerbs(program, context);
	registerSecretVerbs(program, context);
	return program;
}
/** Errors whose message says all there is to say. */
const EXPECTED = [
	CatalogueInvalid,
	ConfigError,
	OperatorError,
	PlansError,
	SnapshotRefused,
	StoreUnavailable,
	VerbRefused
];
/** What the operator or the surroundings did wrong in one line; anything else with its stack, for a report. */
function plainly(error) {
	if (error.code === "EADDRINUSE") return `Port ${error.port} is taken. Choose another: PORT=8081 npm start`;
	if (error.code === "EACCES" && error.port) return `Port ${error.port} may not be opened by this user. Choose one above 1023.`;
	if (error instanceof Problem) return error.detail;
	return EXPECTED.some((kind) => error instanceof kind) ? error.message : error.stack ?? error.message;
}

export { runAssayd };