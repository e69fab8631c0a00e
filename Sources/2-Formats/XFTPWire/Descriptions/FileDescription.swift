package import ValiseSecrets

/// What names and opens a file on relays (XFTP fact sheet, §7). One for each recipient, one for the sender.
package struct FileDescription: Sendable {
    /// Whose names and keys the description holds.
    package enum Party: String, Sendable {
        /// For a recipient: it can download.
        case recipient
        /// For the sender: it can delete.
        case sender
    }

    /// What the file behind a redirect has to be.
    package struct Redirect: Hashable, Sendable {
        /// Of the encrypted file, in bytes.
        package var size: Int64
        /// SHA-512 of the encrypted file.
        package var digest: [UInt8]

        package init(size: Int64, digest: [UInt8]) {
            self.size = size
            self.digest = digest
        }
    }

    /// One chunk: consecutive numbers from 1 are its place among all.
    package struct Chunk: Sendable {
        package var number: Int
        /// In bytes.
        package var size: Int64
        /// SHA-256, 32 bytes.
        package var digest: [UInt8]
        /// Where it is; the first is asked first.
        package var replicas: [Replica]

        package init(number: Int, size: Int64, digest: [UInt8], replicas: [Replica]) {
            self.number = number
            self.size = size
            self.digest = digest
            self.replicas = replicas
        }
    }

    /// A chunk on one relay.
    package struct Replica: Sendable {
        package var server: XFTPAddress
        package var id: EntityID
        /// Ed25519 seed that signs for this name.
        package var key: SecretSeed

        package init(server: XFTPAddress, id: EntityID, key: SecretSeed) {
            self.server = server
            self.id = id
            self.key = key
        }
    }

    /// Whether it is for a recipient or the sender.
    package var party: Party
    /// Of the encrypted file: the sum of its chunks, in bytes.
    package var size: Int64
    /// SHA-512 of the encrypted file, 64 bytes.
    package var digest: [UInt8]
    package var key: SecretSeed
    /// 24 bytes.
    package var nonce: [UInt8]
    /// What most chunks have, in bytes.
    package var chunkSize: Int64
    package var chunks: [Chunk]
    package var redirect: Redirect?

    package init(
        party: Party, size: Int64, digest: [UInt8], key: SecretSeed, nonce: [UInt8], chunkSize: Int64,
        chunks: [Chunk], redirect: Redirect? = nil
    ) {
        self.party = party
        self.size = size
        self.digest = digest
        self.key = key
        self.nonce = nonce
        self.chunkSize = chunkSize
        self.chunks = chunks
        self.redirect = redirect
    }
}
