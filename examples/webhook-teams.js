/**
 * Posts events to a Microsoft Teams channel. FORWARD_URL is the address of a workflow “Post to a channel when a webhook
 * request is received”.
 *
 *     ASSAY_WEBHOOK_SECRET=whsec_… FORWARD_URL=https://… node examples/webhook-teams.js
 */
import { receive } from './webhook-receiver.js'

receive(({ type, timestamp, data }) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: [
          // A RichTextBlock shows the text as it is; a TextBlock would read Markdown in it.
          { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: data.summary, weight: 'bolder' }] },
          { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: `${type}, ${timestamp}`, isSubtle: true }] },
        ],
      },
    },
  ],
}))
