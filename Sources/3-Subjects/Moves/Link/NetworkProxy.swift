/// A SOCKS proxy in parts. Whoever has the link has these too, the password included: `Encodable`, which is for reports,
/// leaves that out.
package struct NetworkProxy: Sendable, Equatable {
    package var host: String?
    /// 1 to 65535.
    package var port: UInt16?
    package var username: String?
    package var password: String?
    /// How the apps choose user names for the proxy; kept as it is.
    package var auth: String?
    private var others = JSONMembers()

    private static let names: Set<String> = ["host", "port", "username", "password", "auth"]

    package init(
        host: String? = nil, port: UInt16? = nil, username: String? = nil, password: String? = nil,
        auth: String? = nil
    ) {
        self.host = host
        self.port = port
        self.username = username
        self.password = password
        self.auth = auth
    }

    /// - Throws: what the decoder throws; ``DeviceMigrationError``.
    init(json: String) throws {
        guard let members = JSONMembers(json) else {
            throw NetworkConfig.invalid("networkProxy is not a JSON object")
        }
        host = try members.value("host")
        port = try members.value("port")
        username = try members.value("username")
        password = try members.value("password")
        auth = try members.value("auth")
        others = members.without(Self.names)
    }

    var json: String {
        let texts = [("host", host), ("username", username), ("password", password), ("auth", auth)]
        var known = texts.compactMap { name, text in text.map { (name, JSONMembers.quoted($0)) } }
        if let port { known.insert(("port", "\(port)"), at: host == nil ? 0 : 1) }
        return JSONMembers.object(known, others)
    }
}

extension NetworkProxy: Encodable {
    private enum CodingKeys: CodingKey {
        case host, port, username, auth
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(host, forKey: .host)
        try container.encodeIfPresent(port, forKey: .port)
        try container.encodeIfPresent(username, forKey: .username)
        try container.encodeIfPresent(auth, forKey: .auth)
    }
}
