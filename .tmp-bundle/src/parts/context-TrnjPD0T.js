import { a as oneOfWords, c as systemContext, d as wholeNumber, f as withStore, i as dateText, l as table, n as OperatorError, o as openConfigured, p as wordsOf, r as anchorsFileOf, s as print, t as LIST_ROWS_MAX, u as verb } from "./context-BbeCwace.js";

export { systemContext };