/// What a relay answers (XFTP fact sheet, §5).
package enum XFTPResponse: Hashable, Sendable {
    /// `SIDS`: the names of a new chunk; those of recipients in the order of their keys.
    case created(sender: EntityID, recipients: [EntityID])
    /// `RIDS`
    case recipientsAdded([EntityID])
    /// `FILE`: the relay's ephemeral X25519 key, and 24 bytes of nonce; the encrypted chunk and its tag follow.
    case file(PublicKey, nonce: [UInt8])
    /// `OK`
    case done
    /// `PONG`
    case pong
    /// `ERR`
    case error(XFTPErrorCode)
}

/// Why a relay refuses (XFTP fact sheet, §5.1).
package enum XFTPErrorCode: Hashable, Sendable {
    case block
    case session
    case handshake
    case command(CommandFault)
    /// Unknown name, wrong key, wrong password, or new files are not allowed: deliberately not told apart.
    case auth
    case blocked(BlockingInfo)
    case size
    case quota
    case digest
    case crypto
    case noFile
    case hasFile
    case fileIO
    case timeout
    case `internal`
    case duplicate

    /// What is wrong with a command itself.
    package enum CommandFault: String, Error, Hashable, Sendable, CaseIterable {
        case unknown = "UNKNOWN"
        case syntax = "SYNTAX"
        case prohibited = "PROHIBITED"
        case noAuth = "NO_AUTH"
        case hasAuth = "HAS_AUTH"
        case noEntity = "NO_ENTITY"
    }
}

/// Why the operator of a relay blocked a chunk.
public enum BlockingReason: String, Hashable, Sendable, CaseIterable {
    /// It was sent to many who did not ask for it.
    case spam
    /// What it contains.
    case content
}

/// What clients are told of a chunk that the operator of a relay blocked.
package struct BlockingInfo: Hashable, Sendable {
    /// What clients are told beside the reason.
    package struct Notice: Hashable, Sendable {
        /// In seconds; nil for as long as there is no other word.
        package var ttl: Int64?

        package init(ttl: Int64?) { self.ttl = ttl }
    }

    package var reason: BlockingReason
    package var notice: Notice?

    package init(_ reason: BlockingReason, notice: Notice? = nil) {
        self.reason = reason
        self.notice = notice
    }
}
