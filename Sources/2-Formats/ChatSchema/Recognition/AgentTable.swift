/// The tables of an agent database that are read by their names.
package enum AgentTable: String, KnownTable {
    case connections
    case messages
    case ratchets
    case receiveQueues = "rcv_queues"
    case receivedChunks = "rcv_file_chunks"
    case receivedFiles = "rcv_files"
    case sendQueues = "snd_queues"
    case sentFiles = "snd_files"
    case servers
    case skippedMessages = "skipped_messages"
    case users
}
