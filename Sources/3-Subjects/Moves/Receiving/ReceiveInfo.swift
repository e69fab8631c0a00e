package import ValiseTransfers

/// What is known of the account beforehand: from the links, without contacting a relay, or of the archive.
public struct ReceiveInfo: Sendable, Encodable {
    /// One for each link.
    package let parts: [StandaloneFileInfo]
    /// The network configuration that the sending app had; nil where the links carry none.
    package let networkConfig: NetworkConfig?
    /// What is wrong with the data of a link: it is left out then.
    package let linkDataProblem: String?
    /// The archive that was given instead of links, and its size in bytes.
    package var archive: (path: String, size: Int64)?

    /// Of all parts as they travel, in bytes; the largest number where they claim more.
    package var size: Int64 { archive?.size ?? parts.reduce(0) { Self.sum($0, $1.size) } }
    /// What is needed beside the account and for it, in bytes, where its files are stored in the archive; packed ones
    /// need more, which is only known when the archive is there.
    package var spaceNeeded: Int64 { Self.sum(archive == nil ? Self.sum(size, size) : size, 1 << 20) }

    /// A link may claim any size.
    private static func sum(_ first: Int64, _ second: Int64) -> Int64 {
        let (sum, isTooLarge) = first.addingReportingOverflow(second)
        return isTooLarge ? .max : sum
    }

    private enum Keys: String, CodingKey {
        case parts, networkConfig, linkDataProblem, archive, size, spaceNeeded
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(parts, forKey: .parts)
        try container.encodeIfPresent(networkConfig, forKey: .networkConfig)
        try container.encodeIfPresent(linkDataProblem, forKey: .linkDataProblem)
        try container.encodeIfPresent(archive?.path, forKey: .archive)
        try container.encode(size, forKey: .size)
        try container.encode(spaceNeeded, forKey: .spaceNeeded)
    }
}
