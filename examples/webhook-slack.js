/**
 * Posts events to a Slack channel. FORWARD_URL is the address of an incoming webhook of Slack.
 *
 *     ASSAY_WEBHOOK_SECRET=whsec_… FORWARD_URL=https://hooks.slack.com/services/… node examples/webhook-slack.js
 */
import { receive } from './webhook-receiver.js'

// Slack reads these three characters as markup: a name in an event must not become a link or mention everybody.
const plain = (/** @type {string} */ text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

receive(({ type, data }) => ({ text: `*Assay* ${plain(data.summary)} (${type})` }))
