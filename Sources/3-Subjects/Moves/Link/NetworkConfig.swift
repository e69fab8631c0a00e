/// The network settings of an app that move to another machine.
///
/// Unknown fields are kept byte for byte. `Encodable` includes only the known ones, for reports.
public struct NetworkConfig: Sendable, Equatable {
    /// Which of a relay's addresses is used. The raw values are those of the official apps.
    package enum HostMode: String, Sendable, Codable, CaseIterable {
        /// The onion address, where there is a SOCKS proxy.
        case onionViaSocks
        /// The onion address only.
        case onionHost
        /// The public address.
        case publicHost
    }

    /// `host:port` of a SOCKS proxy, or `:port` on this machine; nil for none.
    package var socksProxy: String?
    /// The proxy in parts, as newer apps have it; nil for none.
    package var networkProxy: NetworkProxy?
    package var hostMode: HostMode
    /// Whether a relay without an address of this mode is not used at all.
    package var requiredHostMode: Bool
    private var others = JSONMembers()

    static let names: Set<String> = ["socksProxy", "networkProxy", "hostMode", "requiredHostMode"]

    package init(
        socksProxy: String? = nil, networkProxy: NetworkProxy? = nil, hostMode: HostMode = .onionViaSocks,
        requiredHostMode: Bool = false
    ) {
        self.socksProxy = socksProxy
        self.networkProxy = networkProxy
        self.hostMode = hostMode
        self.requiredHostMode = requiredHostMode
    }

    /// What is missing is as the apps have it at first.
    init(json: String) throws(DeviceMigrationError) {
        do {
            guard let members = JSONMembers(json) else { throw Self.invalid("not a JSON object") }
            socksProxy = try members.value("socksProxy")
            networkProxy = try members["networkProxy"].map { try NetworkProxy(json: $0) }
            requiredHostMode = try members.value("requiredHostMode") ?? false
            let mode = try members.value("hostMode", as: String.self) ?? HostMode.onionViaSocks.rawValue
            guard let hostMode = HostMode(rawValue: mode) else {
                throw Self.invalid("unknown hostMode")
            }
            self.hostMode = hostMode
            others = members.without(Self.names)
        } catch let error as DeviceMigrationError {
            throw error
        } catch {
            throw Self.invalid("a field has the wrong type")
        }
    }

    static func invalid(_ defect: String) -> DeviceMigrationError {
        DeviceMigrationError(.invalidLinkData, "cannot use the network settings: \(defect)")
    }

    /// The known members, in the order of the official apps; those that are nil are left out.
    var knownMembers: [(String, String)] {
        var known: [(String, String)] = []
        if let socksProxy { known.append(("socksProxy", JSONMembers.quoted(socksProxy))) }
        if let networkProxy { known.append(("networkProxy", networkProxy.json)) }
        known.append(("hostMode", JSONMembers.quoted(hostMode.rawValue)))
        known.append(("requiredHostMode", requiredHostMode ? "true" : "false"))
        return known
    }

    var json: String { JSONMembers.object(knownMembers, others) }
}

extension NetworkConfig: Encodable {
    private enum CodingKeys: CodingKey {
        case socksProxy, networkProxy, hostMode, requiredHostMode
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(socksProxy, forKey: .socksProxy)
        try container.encodeIfPresent(networkProxy, forKey: .networkProxy)
        try container.encode(hostMode, forKey: .hostMode)
        try container.encode(requiredHostMode, forKey: .requiredHostMode)
    }
}
