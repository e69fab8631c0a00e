import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseAccounts
import ValiseConcurrency
import ValiseCryptography
import ValiseDatabase
import ValiseFiles
import ValiseMaintenance
import ValiseMoves
import ValiseSampleAccounts
import ValiseSecrets
import ValiseTransfers
import ValiseXFTPClient
import ValiseXFTPWire

/// Two machines and a relay between them: a folder for each, with an account on the old one.
final class MoveBench: Sendable {
    let path: FilePath
    let old: AccountLocation
    let new: AccountLocation
    let relays = MemoryRelays()
    /// What is added to the clock, in seconds.
    let later = Mutex<Int64>(0)
    private let folder: FolderOwner

    /// Kept as long as the test.
    private final class FolderOwner: @unchecked Sendable {
        let folder: TemporaryFolder

        init(_ folder: TemporaryFolder) { self.folder = folder }
    }

    /// A raw key: that needs no derivation, so it is fast.
    static let passphrase = "x'" + String(repeating: "5a", count: 32) + "'"

    /// Built once for all tests.
    private static let template = Result {
        let location = AccountLocation(
            directory: try TemporaryFolder.untilExit("valise-move-template").appending("account"))
        let passphrase = try secret()
        try SampleAccount(.init(messages: 30)).build(location, passphrase: passphrase.bytes)
        let chat = try Connection(location.path(of: .chat), mode: .readWrite, passphrase: passphrase.bytes)
        let settings =
            #"{"networkConfig":{"hostMode":"onionHost","requiredHostMode":true,"tcpTimeout":5},"theme":"DARK"}"#
        try chat.run("UPDATE app_settings SET app_settings = ?", [.text(settings)])
        return location
    }

    /// - Parameter sample: whether the account is the sample; else it is one that was just created.
    init(sample: Bool = true, schema: [AccountDatabase: String] = [:]) throws {
        let owned = try TemporaryFolder("valise-move", inMemory: true)
        folder = FolderOwner(owned)
        path = owned.path
        old = AccountLocation(directory: owned.appending("old"))
        new = AccountLocation(directory: owned.appending("new/account"))
        if sample {
            try TemporaryFolder.copyTree(
                Self.template.get().directory, to: old.directory)
        } else {
            try AccountCreation().create(old, passphrase: Self.secret().bytes, schema: schema)
        }
    }

    static func secret(_ text: String = passphrase) throws -> SharedSecret {
        SharedSecret(try SecretBytes(copying: Array(text.utf8)))
    }

    // MARK: Machines

    enum Machine: String { case old, new }

    /// A process of a machine.
    func move(
        _ machine: Machine, _ fileSystem: FileSystem = FileSystem(), largest: Int64? = nil,
        entered: @escaping @Sendable (MoveStep) throws -> Void = { _ in }
    ) -> AccountMove {
        var settings = TransferSettings()
        settings.sleep = { _ in await Task.yield() }
        settings.retries.attempts = 2
        if let largest { settings.largestDescription = largest }
        let clock = settings.now
        settings.now = { [self] in clock() + later.withLock { $0 } }
        let home = path.appending("home-\(machine.rawValue)")
        let transfers = FileTransfers(
            relays: relays, states: home.appending("uploads"), settings: settings, fileSystem: fileSystem)
        var move = AccountMove(
            transfers: transfers, store: home.appending("moves"), tool: "test", fileSystem: fileSystem)
        move.entered = entered
        return move
    }

    static var sendOptions: SendOptions { SendOptions(.relays([MemoryRelays.access])) }

    func send(
        _ move: AccountMove? = nil, _ options: SendOptions = sendOptions,
        report: @escaping EventHandler = { _ in }
    ) async throws -> SentAccount {
        try await (move ?? self.move(.old)).send(
            old, passphrase: Self.secret(), options, report: report)
    }

    static func questions(_ passphrase: String = passphrase) -> ReceiveQuestions {
        var questions = ReceiveQuestions { _ in try secret(passphrase) }
        questions.takesNetworkConfig = { _ in true }
        questions.upgradesSchema = { _ in true }
        return questions
    }

    func receive(
        _ source: MoveSource?, _ move: AccountMove? = nil, to location: AccountLocation? = nil,
        asking questions: ReceiveQuestions = questions(),
        _ change: (inout ReceiveOptions) -> Void = { _ in }, report: @escaping EventHandler = { _ in }
    ) async throws -> ReceivedAccount {
        var options = ReceiveOptions(approval: .all)
        change(&options)
        return try await (move ?? self.move(.new)).receive(
            source, to: location ?? new, options, questions, report: report)
    }

    // MARK: What is there

    /// Of all files of an account, but for what is kept beside it.
    static func contents(_ location: AccountLocation) throws -> [String: [UInt8]?] {
        try TemporaryFolder.contents(of: location.directory).filter { !$0.key.hasPrefix(".move-") }
            .mapValues { $0.map { SHA256.hash($0) } }
    }

    /// Whether both machines have the same account, byte for byte but for what settings changed.
    func areEqual(agentOnly: Bool = false) throws -> Bool {
        var (here, there) = (try Self.contents(old), try Self.contents(new))
        if agentOnly { for name in ["simplex_v1_chat.db"] { (here[name], there[name]) = (nil, nil) } }
        return here == there
    }

    /// What is below the machines' homes and beside the new account, but for the account itself.
    func remains(_ machine: Machine) throws -> [String] {
        let home = path.appending("home-\(machine.rawValue)")
        guard try FileSystem().exists(home) else { return [] }
        return try TemporaryFolder.contents(of: home).keys.filter { !$0.hasSuffix("/") }.sorted()
    }

    /// Changes a row, as an app would that is started.
    func use(_ location: AccountLocation) throws {
        let connection = try Connection(
            location.path(of: .chat), mode: .readWrite, passphrase: Self.secret().bytes)
        try connection.execute("CREATE TABLE IF NOT EXISTS used (text TEXT)")
        try connection.run("INSERT INTO used VALUES ('here')")
    }
}

/// What a kill is in these tests.
struct Killed: Error {}

extension SentAccount {
    /// As they are copied.
    var texts: [String] {
        get throws {
            try links.map { link in
                try link.appLink().withBytes { String(decoding: $0, as: UTF8.self) }
            }
        }
    }

    var source: MoveSource {
        get throws { .links(try texts) }
    }
}

/// Keeps what is told.
final class StepLog: Sendable {
    private let events = Mutex<[OperationEvent]>([])

    var report: EventHandler {
        { [self] event in events.withLock { $0.append(event) } }
    }

    var all: [OperationEvent] { events.withLock { $0 } }
}
