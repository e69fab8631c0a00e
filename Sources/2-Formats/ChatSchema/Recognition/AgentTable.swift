/// The tables of an agent database that are read by their names.
package enum AgentTable: String, KnownTable {
    case connections
    case ratchets
    case receivedChunks = "rcv_file_chunks"
    case receivedFiles = "rcv_files"
    case sentFiles = "snd_files"
    case users
}
