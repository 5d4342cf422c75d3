/**
 * Starts a workflow of n8n with each event. FORWARD_URL is the address of its Webhook node (POST). The workflow finds the
 * event in `body`, as `body.type` and `body.data`.
 *
 *     ASSAY_WEBHOOK_SECRET=whsec_… FORWARD_URL=https://n8n.company.example/webhook/assay node examples/webhook-n8n.js
 */
import { receive } from './webhook-receiver.js'

receive((event) => event)
