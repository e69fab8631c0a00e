package import SystemPackage
import ValiseFailures

extension RelaySettings {
    /// The database of records. Its keys are those of the official relay, but for the file of the password; its tables are not.
    package struct Database: Sendable, Equatable {
        /// `valise_relay`
        package static let usualSchema = "valise_relay"
        /// 10
        package static let usualConnections = 10

        /// A connection string of libpq without a password.
        package var address: String
        /// What its tables are in.
        package var schema = usualSchema
        /// The most connections of this process.
        package var connections = usualConnections
        /// The first line is the password; nil where the server asks for none, or libpq finds it by itself.
        package var passwordFile: FilePath?

        package init(address: String) { self.address = address }
    }

    /// The bucket of bodies. All keys are our own.
    package struct Objects: Sendable, Equatable {
        /// `us-east-1`
        package static let usualRegion = "us-east-1"

        /// Such as `https://s3.example.org`.
        package var endpoint: String
        package var bucket: String
        /// Of all keys; empty for none.
        package var prefix = ""
        package var region = usualRegion
        /// Whether the bucket is in the path of an address, and not in the name of the host.
        package var isPathStyle = true
        package var accessKey: String
        /// The first line is the secret key.
        package var secretKeyFile: FilePath
        /// A file of certificates in PEM that are trusted instead of the system's.
        package var authorities: FilePath?
        /// After so many days the server removes what nobody removed; nil to ask it for nothing.
        package var expiryDays: Int?

        package init(endpoint: String, bucket: String, accessKey: String, secretKeyFile: FilePath) {
            self.endpoint = endpoint
            self.bucket = bucket
            self.accessKey = accessKey
            self.secretKeyFile = secretKeyFile
        }
    }
}

/// What a file says of a store, while its lines are read.
struct StoresDraft {
    typealias PathReader = (String) throws(SettingsFault) -> FilePath

    private var choice = RelayStoreChoice()
    private var databaseAddress: String?
    private var database = RelaySettings.Database(address: "")
    private var endpoint: String?
    private var bucket: String?
    private var accessKey: String?
    private var secretKeyFile: FilePath?
    private var objects = RelaySettings.Objects(endpoint: "", bucket: "", accessKey: "", secretKeyFile: "")

    /// - Returns: false for an unknown key.
    mutating func readDatabase(
        _ key: String, _ value: String, _ path: PathReader
    ) throws(SettingsFault) -> Bool {
        switch key {
        case "store_files":
            switch value {
            case "memory": choice.records = .embedded
            case "database": choice.records = .postgres
            default: throw SettingsFault("'\(value)' is neither 'memory' nor 'database'")
            }
        case "db_connection": databaseAddress = try text(value)
        case "db_schema": database.schema = try text(value)
        case "db_pool_size": database.connections = try SettingsValue.number(value, 2...1000)
        case "db_password_file": database.passwordFile = try path(value)
        // The official relay writes its log beside the database then.
        case "db_store_log":
            if try SettingsValue.isOn(value) {
                throw SettingsFault("a database has no store log beside it")
            }
        default: return false
        }
        return true
    }

    mutating func readBodies(_ value: String) throws(SettingsFault) {
        guard let bodies = RelayStoreChoice.Bodies(rawValue: value) else {
            throw SettingsFault("'\(value)' is neither 'folder' nor 's3'")
        }
        choice.bodies = bodies
    }

    /// - Returns: false for an unknown key.
    mutating func readObjects(
        _ key: String, _ value: String, _ path: PathReader
    ) throws(SettingsFault) -> Bool {
        switch key {
        case "endpoint": endpoint = try text(value)
        case "bucket": bucket = try text(value)
        case "prefix": objects.prefix = value
        case "region": objects.region = try text(value)
        case "path_style": objects.isPathStyle = try SettingsValue.isOn(value)
        case "access_key": accessKey = try text(value)
        case "secret_key_file": secretKeyFile = try path(value)
        case "authorities": objects.authorities = try path(value)
        case "expire_days": objects.expiryDays = try SettingsValue.number(value, 1...36_500)
        default: return false
        }
        return true
    }

    private func text(_ value: String) throws(SettingsFault) -> String {
        guard !value.isEmpty else { throw SettingsFault("empty value") }
        return value
    }

    /// - Throws: `invalid` for half of a bucket, and where what is used is not named.
    func finish(_ settings: inout RelaySettings) throws(XFTPRelayError) {
        settings.store = choice
        if let databaseAddress {
            settings.database = database
            settings.database?.address = databaseAddress
        }
        if choice.bodies == .s3 || endpoint != nil || bucket != nil || accessKey != nil
            || secretKeyFile != nil
        {
            settings.objects = try finishedObjects()
        }
        guard choice.records == .embedded || databaseAddress != nil else {
            throw .missing("db_connection", "STORE_LOG")
        }
    }

    private func finishedObjects() throws(XFTPRelayError) -> RelaySettings.Objects {
        let section = RelaySettings.objectsSection
        var objects = objects
        guard let endpoint else { throw .missing("endpoint", section) }
        guard let bucket else { throw .missing("bucket", section) }
        guard let accessKey else { throw .missing("access_key", section) }
        guard let secretKeyFile else { throw .missing("secret_key_file", section) }
        (objects.endpoint, objects.bucket) = (endpoint, bucket)
        (objects.accessKey, objects.secretKeyFile) = (accessKey, secretKeyFile)
        return objects
    }
}

extension XFTPRelayError {
    /// What a file of settings lacks.
    static func missing(_ key: String, _ section: String) -> XFTPRelayError {
        XFTPRelayError(.invalid, "missing '\(key)' in [\(section)]")
    }
}
