// What OrdinaryWork does, with a client that is not written in Java: node copy.js SERVERS COUNT
// Prints one line: the committed copies and what the group has committed of the input, as JSON.
const { Kafka, logLevel } = require('kafkajs')

const [servers, given] = process.argv.slice(2)
const count = Number(given)
const kafka = new Kafka({ clientId: 'node', brokers: servers.split(','), logLevel: logLevel.NOTHING })

async function main() {
  const admin = kafka.admin()
  await admin.connect()
  await admin.createTopics({
    waitForLeaders: true,
    topics: ['in', 'out'].map(topic => ({ topic, numPartitions: 3, replicationFactor: 1 }))
  })
  await feed()
  await copy()
  const offsets = await admin.fetchOffsets({ groupId: 'copies', topics: ['in'] })
  const committed = offsets[0].partitions.reduce((sum, partition) => sum + Number(partition.offset), 0)
  console.log(JSON.stringify({ copies: await read(), committed }))
  await admin.disconnect()
}

async function feed() {
  const producer = kafka.producer()
  await producer.connect()
  const messages = Array.from({ length: count }, (_, i) => ({ key: `key-${i}`, value: `value-${i}` }))
  await producer.send({ topic: 'in', messages })
  await producer.disconnect()
}

async function copy() {
  const producer = kafka.producer({ transactionalId: 'node-copy', maxInFlightRequests: 1, idempotent: true })
  const consumer = kafka.consumer({ groupId: 'copies' })
  await producer.connect()
  await consumer.connect()
  await consumer.subscribe({ topics: ['in'], fromBeginning: true })
  let copied = 0
  await new Promise((resolve, reject) => {
    consumer.on(consumer.events.CRASH, event => reject(event.payload.error))
    consumer.run({
      autoCommit: false,
      eachBatch: async ({ batch }) => {
        await inTransaction(producer, batch, transaction => transaction.abort())
        await inTransaction(producer, batch, transaction => transaction.commit())
        copied += batch.messages.length
        if (copied === count) resolve()
      }
    })
  })
  await consumer.disconnect()
  await producer.disconnect()
}

async function inTransaction(producer, batch, end) {
  const transaction = await producer.transaction()
  await transaction.send({ topic: 'out', messages: batch.messages.map(({ key, value }) => ({ key, value })) })
  const offset = String(BigInt(batch.lastOffset()) + 1n)
  await transaction.sendOffsets({
    consumerGroupId: 'copies',
    topics: [{ topic: batch.topic, partitions: [{ partition: batch.partition, offset }] }]
  })
  await end(transaction)
}

async function read() {
  const consumer = kafka.consumer({ groupId: 'readers', readUncommitted: false })
  const values = []
  await consumer.connect()
  await consumer.subscribe({ topics: ['out'], fromBeginning: true })
  await new Promise((resolve, reject) => {
    consumer.on(consumer.events.CRASH, event => reject(event.payload.error))
    consumer.run({
      eachMessage: async ({ message }) => {
        values.push(message.value.toString())
        if (values.length === count) resolve()
      }
    })
  })
  await consumer.disconnect()
  return values
}

main().catch(error => {
  console.error(error)
  process.exit(1)
})
