package import ValiseXFTPWire

/// What a link or a description says of its file, without asking any relay.
package struct StandaloneFileInfo: Sendable {
    /// A relay with what it has of the file.
    package struct Server: Sendable, Encodable {
        package let address: XFTPAddress
        package fileprivate(set) var chunks: Int
        /// In bytes, as they travel.
        package fileprivate(set) var size: Int64
    }

    package let party: FileDescription.Party
    /// Of the encrypted file, in bytes: its content is a little smaller. Behind a redirect, of the file that it leads
    /// to.
    package let size: Int64
    /// What is received from ``servers``, in bytes: of a redirect, the description alone.
    package let downloadSize: Int64
    /// Behind a redirect the file's own relays are known only when the description was received.
    package let isRedirect: Bool
    package let servers: [Server]
    package let chunks: Int
    /// JSON for apps that the link carries.
    package let data: String?
    /// How long relays keep a file unless their operators chose otherwise, in seconds since it was sent. When that was
    /// is in no link.
    package let usualLifetime: Int64 = 48 * 3600

    package init(_ reference: FileReference) {
        let description = reference.description
        party = description.party
        size = description.redirect?.size ?? description.size
        downloadSize = description.size
        isRedirect = description.redirect != nil
        servers = Self.servers(description)
        chunks = description.chunks.count
        data = reference.data
    }

    /// In the order of the chunks.
    private static func servers(_ description: FileDescription) -> [Server] {
        var places: [XFTPAddress: Int] = [:]
        var servers: [Server] = []
        for chunk in description.chunks {
            var seen: Set<XFTPAddress> = []
            for replica in chunk.replicas where seen.insert(replica.server).inserted {
                let place = places[replica.server] ?? servers.count
                if place == servers.count {
                    places[replica.server] = place
                    servers.append(Server(address: replica.server, chunks: 0, size: 0))
                }
                servers[place].chunks += 1
                servers[place].size += chunk.size
            }
        }
        return servers
    }
}

extension StandaloneFileInfo: Encodable {
    private enum Keys: String, CodingKey {
        case party, size, downloadSize, redirect, servers, chunks, data, usualLifetime
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(party.rawValue, forKey: .party)
        try container.encode(size, forKey: .size)
        try container.encode(downloadSize, forKey: .downloadSize)
        try container.encode(isRedirect, forKey: .redirect)
        try container.encode(servers, forKey: .servers)
        try container.encode(chunks, forKey: .chunks)
        try container.encodeIfPresent(data, forKey: .data)
        try container.encode(usualLifetime, forKey: .usualLifetime)
    }
}
