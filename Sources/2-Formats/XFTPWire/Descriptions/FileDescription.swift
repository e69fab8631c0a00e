public import ValiseSecrets

/// What names and opens a file on relays (XFTP fact sheet, §7). One for each recipient, one for the sender.
public struct FileDescription: Sendable {
    /// Whose names and keys the description holds.
    public enum Party: String, Sendable {
        case recipient
        case sender
    }

    /// What the file behind a redirect has to be.
    public struct Redirect: Hashable, Sendable {
        /// Of the encrypted file, in bytes.
        public var size: Int64
        /// SHA-512 of the encrypted file.
        public var digest: [UInt8]

        public init(size: Int64, digest: [UInt8]) {
            self.size = size
            self.digest = digest
        }
    }

    /// One chunk: consecutive numbers from 1 are its place among all.
    public struct Chunk: Sendable {
        public var number: Int
        /// In bytes.
        public var size: Int64
        /// SHA-256, 32 bytes.
        public var digest: [UInt8]
        /// Where it is; the first is asked first.
        public var replicas: [Replica]

        public init(number: Int, size: Int64, digest: [UInt8], replicas: [Replica]) {
            self.number = number
            self.size = size
            self.digest = digest
            self.replicas = replicas
        }
    }

    /// A chunk on one relay.
    public struct Replica: Sendable {
        public var server: XFTPAddress
        public var id: EntityID
        /// Ed25519 seed that signs for this name.
        public var key: SecretSeed

        public init(server: XFTPAddress, id: EntityID, key: SecretSeed) {
            self.server = server
            self.id = id
            self.key = key
        }
    }

    public var party: Party
    /// Of the encrypted file: the sum of its chunks, in bytes.
    public var size: Int64
    /// SHA-512 of the encrypted file, 64 bytes.
    public var digest: [UInt8]
    public var key: SecretSeed
    /// 24 bytes.
    public var nonce: [UInt8]
    /// What most chunks have, in bytes.
    public var chunkSize: Int64
    public var chunks: [Chunk]
    public var redirect: Redirect?

    public init(
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
