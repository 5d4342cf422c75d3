import { createServer } from 'node:http'

/** Reads whatever it is sent and does nothing with it: what sending alone costs the machine. */
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => response.end('{}'))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }))
})
