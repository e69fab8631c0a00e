package import SystemPackage
import ValiseFailures
import ValiseFiles
import ValiseXFTPWire

extension RelaySettings {
    /// Reads the file of a relay, ours or an official one that asks for nothing we do not do.
    ///
    /// - Parameters:
    ///   - text: of the file.
    ///   - folder: paths that do not begin with a slash begin here.
    /// - Throws: ``XFTPRelayError``: `unsupported` with every line that is not understood, `invalid` where something is
    ///   missing.
    package init(_ text: String, folder: FilePath) throws(XFTPRelayError) {
        let lines = SettingsLines(text)
        var draft = Draft(folder: folder)
        var faults = lines.faults
        var remedy: Remedy?
        for line in lines.lines {
            do throws(SettingsFault) {
                try draft.read(line)
            } catch {
                faults.append("\(line.place): \(error.reason)")
                remedy = remedy ?? error.remedy
            }
        }
        guard faults.isEmpty else {
            throw XFTPRelayError(
                .unsupported, "unsupported settings: \(faults.joined(separator: "; "))", remedy: remedy)
        }
        self = try draft.finished()
    }
}

/// Settings while their lines are read.
private struct Draft {
    let folder: FilePath
    var settings = RelaySettings(hosts: [], files: "")
    /// These are nil where the file does not say.
    var closesIdle: Bool?
    var listen: String?
    var connectionsPerAddress: Int?
    var certificate: FilePath?
    var key: FilePath?
    var stores = StoresDraft()

    init(folder: FilePath) { self.folder = folder }

    mutating func read(_ line: SettingsLines.Line) throws(SettingsFault) {
        let value = line.value
        switch line.section {
        case "STORE_LOG": try readStoreLog(line, value)
        case "AUTH": try readAccess(line, value)
        case "TRANSPORT": try readTransport(line, value)
        case "FILES":
            switch line.key {
            case "path": settings.files = try path(value)
            case "storage_quota": settings.quota = try SettingsValue.size(value)
            case "most_names": settings.mostNames = try SettingsValue.number(value, 1000...100_000_000)
            case "bodies": try stores.readBodies(value)
            default: throw Self.unknown
            }
        case RelaySettings.objectsSection:
            guard try stores.readObjects(line.key, value, path) else { throw Self.unknown }
        case "INACTIVE_CLIENTS":
            switch line.key {
            case "disconnect": closesIdle = try SettingsValue.isOn(value)
            case "ttl": settings.idleTime = try SettingsValue.number(value, 1...Int(Int32.max))
            case "check_interval": settings.ignored.append(line.place)
            default: throw Self.unknown
            }
        case "WEB": try readWeb(line, value)
        // Shown on the page of the official relay.
        case "INFORMATION": settings.ignored.append(line.place)
        case "LIMITS":
            guard try settings.serving.readLimit(line.key, value) else { throw Self.unknown }
        default: throw Self.unknown
        }
    }

    private mutating func readStoreLog(
        _ line: SettingsLines.Line, _ value: String
    ) throws(SettingsFault) {
        switch line.key {
        case "enable": settings.keepsLog = try SettingsValue.isOn(value)
        case "expire_files_hours": settings.lifetime = try SettingsValue.number(value, 1...1_000_000)
        case "log_stats": settings.logsStatistics = try SettingsValue.isOn(value)
        case "prometheus_interval": settings.prometheusInterval = try SettingsValue.number(value, 1...86_400)
        default:
            guard try stores.readDatabase(line.key, value, path) else { throw Self.unknown }
        }
    }

    private mutating func readAccess(_ line: SettingsLines.Line, _ value: String) throws(SettingsFault) {
        switch line.key {
        case "new_files": settings.acceptsNewFiles = try SettingsValue.isOn(value)
        case "create_password":
            do throws(XFTPWireError) {
                settings.password = try RelayPassword(checking: value)
            } catch {
                throw SettingsFault(error.message)
            }
        case "control_port_admin_password", "control_port_user_password":
            throw SettingsFault("there is no control port: the control socket needs no password")
        default: throw Self.unknown
        }
    }

    private mutating func readTransport(
        _ line: SettingsLines.Line, _ value: String
    ) throws(SettingsFault) {
        switch line.key {
        case "host":
            guard value.utf8.allSatisfy({ $0 < 0x80 }) else {
                throw SettingsFault("host names must be ASCII, others in the form 'xn--…'")
            }
            for text in value.split(separator: ",") {
                do throws(XFTPWireError) {
                    settings.hosts.append(try XFTPAddress.Host(text.filter { !$0.isWhitespace }))
                } catch {
                    throw SettingsFault(error.message)
                }
            }
        case "port": settings.port = UInt16(try SettingsValue.number(value, 0...Int(UInt16.max)))
        case "listen": listen = value
        case "identity": settings.identity = try path(value)
        case "connections": settings.connections = try SettingsValue.number(value, 2...100_000)
        case "connections_per_address": connectionsPerAddress = try SettingsValue.number(value, 1...99_999)
        case "log_tls_errors": settings.ignored.append(line.place)
        case "control_port":
            throw SettingsFault(
                "there is no control port: the control socket can only be opened by its owner")
        default:
            guard try settings.serving.read(line.key, value) else { throw Self.unknown }
        }
    }

    private mutating func readWeb(_ line: SettingsLines.Line, _ value: String) throws(SettingsFault) {
        switch line.key {
        case "cert": certificate = try path(value)
        case "key": key = try path(value)
        case "static_path": settings.ignored.append(line.place)
        case "http", "https": throw SettingsFault("serving web pages is not supported")
        default: throw Self.unknown
        }
    }

    func finished() throws(XFTPRelayError) -> RelaySettings {
        var settings = settings
        guard !settings.hosts.isEmpty else { throw .missing("host", "TRANSPORT") }
        guard !settings.files.isEmpty else { throw .missing("path", "FILES") }
        guard (certificate == nil) == (key == nil) else {
            throw .missing(certificate == nil ? "cert" : "key", "WEB")
        }
        if let certificate, let key { settings.web = .init(certificate: certificate, key: key) }
        if closesIdle == false { settings.idleTime = nil }
        settings.listen = listen ?? RelaySettings.usualListen(for: settings.hosts)
        settings.connectionsPerAddress =
            connectionsPerAddress ?? RelayLimits.usualConnectionsPerAddress(of: settings.connections)
        guard settings.connectionsPerAddress < settings.connections else {
            throw XFTPRelayError(
                .invalid,
                "'connections_per_address' in [TRANSPORT] must be less than 'connections' "
                    + "(\(settings.connections))")
        }
        try stores.finish(&settings)
        try settings.serving.check()
        return settings
    }

    // MARK: Values

    private static var unknown: SettingsFault { SettingsFault("unknown key") }

    private func path(_ value: String) throws(SettingsFault) -> FilePath {
        guard !value.isEmpty else { throw SettingsFault("empty path") }
        let path = FilePath(value)
        // Without its last slash it would be read as another one the next time.
        guard path.string.unicodeScalars.last?.properties.isWhitespace == false else {
            throw SettingsFault("a path cannot end with a space")
        }
        return path.isAbsolute ? path : folder.pushing(path)
    }
}
