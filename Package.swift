// swift-tools-version: 6.2
import PackageDescription

// Every target stands on one line with its place: the tens are the layer, which is its folder in Sources/, and a target
// depends on lower numbers only. The same table is read by Tests/ArchitectureTests, which also compares it with the import
// lines of the sources. The prefix keeps the modules apart from those of who uses them.

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// Where bytes of others are read, each use of a pointer is marked.
let foreign: [SwiftSetting] = strict + [.strictMemorySafety()]

let system: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let parser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let http1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let http2: Target.Dependency = .product(name: "NIOHTTP2", package: "swift-nio-http2")
let hpack: Target.Dependency = .product(name: "NIOHPACK", package: "swift-nio-http2")
let socks: Target.Dependency = .product(name: "NIOSOCKS", package: "swift-nio-extras")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let metrics: Target.Dependency = .product(name: "CoreMetrics", package: "swift-metrics")
let lifecycle: Target.Dependency = .product(
    name: "ServiceLifecycle", package: "swift-service-lifecycle")

let layers = [
    "0-Ground", "1-Engines", "2-Formats", "3-Subjects", "4-Operations", "5-Commands", "6-Programs",
]

// VALISE_QUICK=1 is set for the build that the tests run. What holds other parts together, and takes no time when it runs, is
// not optimized there: to optimize these takes a fifth of the time of the whole build. And what tests see of the insides of
// targets is kept in these targets alone, not in NIO.
let together: Set<String> = [
    "Valise", "ValiseCommands", "ValiseMaintenance", "ValiseMoves", "ValiseTransfers",
]
let seenInside: Set<String> = [
    "Valise", "ValiseAccounts", "ValiseArchives", "ValiseBackups", "ValiseChatLog", "ValiseChatSchema",
    "ValiseCommands", "ValiseComposition", "ValiseContentStore", "ValiseCryptography", "ValiseFiles",
    "ValiseJobQueue",
    "ValiseKeys",
    "ValiseMaintenance", "ValiseMedia", "ValiseMounting", "ValiseMoves", "ValisePages", "ValisePostgres",
    "ValiseRelay", "ValiseRepository", "ValiseSessionStore",
    "ValiseStorage", "ValiseTLS", "ValiseTerminal", "ValiseXFTPClient", "ValiseXFTPWire",
]
let isQuick = Context.environment["VALISE_QUICK"] != nil

func quickSettings(_ name: String) -> [SwiftSetting] {
    guard isQuick else { return [] }
    let flags =
        (together.contains(name) ? ["-Onone"] : []) + (seenInside.contains(name) ? ["-enable-testing"] : [])
    return flags.isEmpty ? [] : [.unsafeFlags(flags)]
}

func target(
    _ place: Int, _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = [],
    settings: [SwiftSetting] = strict
) -> Target {
    let folder = name == "Valise" ? name[...] : name.dropFirst("Valise".count)
    return .target(
        name: name, dependencies: dependencies, path: "Sources/\(layers[place / 10])/\(folder)",
        resources: resources, swiftSettings: settings + quickSettings(name))
}

/// Programs have the Swift runtime within them, in builds for tests too, which start them some thousand times: that takes a
/// third less time. These are the libraries that Foundation names itself only where it is compiled for this.
///
/// Functions are bound at the start: what binds them when they are first called writes vector registers to the stack, and a
/// piece of a secret with them (decision 0014). No symbol is exported, of which the static runtime's own flags would export
/// thirty thousand: nothing looks any up in a program, and without them it starts in nineteen twentieths of the time.
#if os(Linux)
    let ownRuntime: [LinkerSetting] = [
        .unsafeFlags([
            "-static-stdlib", "-Xlinker", "-z", "-Xlinker", "now", "-Xlinker", "--no-export-dynamic",
        ]),
        .linkedLibrary("FoundationInternationalization"), .linkedLibrary("_FoundationICU"),
        .linkedLibrary("_FoundationCShims"), .linkedLibrary("_FoundationCollections"),
        .linkedLibrary("CoreFoundation"), .linkedLibrary("dispatch"), .linkedLibrary("BlocksRuntime"),
    ]
#else
    let ownRuntime: [LinkerSetting] = []
#endif

func program(_ place: Int, _ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/\(layers[place / 10])/\(name)",
        swiftSettings: strict, linkerSettings: ownRuntime)
}

/// Tests lie as the sources do. These layers have more than one target of them.
let testFolders = [
    1: ["Cryptography", "Database", "JobQueue", "Migrations", "Postgres", "Storage", "TLS", "Terminal"],
    2: [
        "Archives", "ChatSchema", "Containers", "ContentStore", "CryptoFiles", "MediaRules",
        "MemorySource.swift", "Pages", "Repository", "SessionStore", "XFTPWire",
    ],
    3: [
        "AccountArchives", "Accounts", "Backups", "ChatLog", "Composition", "Keys", "Maintenance", "Media",
        "Mounting", "Moves",
        "Relay/Moving", "Relay/Serving",
        "Relay/Store", "SampleAccounts", "Transfers", "XFTPClient",
    ],
    5: ["Commands", "Remedies"],
]

/// What tests do themselves is little: optimized they take longer to build and no less time to run.
let testSettings = strict + [SwiftSetting.unsafeFlags(["-Onone"])]

/// - Parameters:
///   - folders: of the layer, where it has more than one target of tests.
///   - exclude: what is no source in them.
func tests(
    _ layer: Int, _ name: String, _ folders: [String] = [], dependencies: [Target.Dependency],
    exclude: [String] = []
) -> Target {
    let others = testFolders[layer, default: []].filter { !folders.contains($0) }
    return .testTarget(
        name: name, dependencies: dependencies, path: "Tests/\(layers[layer])", exclude: exclude + others,
        swiftSettings: testSettings)
}

// intel-ipsec-mb exists for this processor only; elsewhere libcrypto does its work.
#if os(Linux) && arch(x86_64)
    let multiBuffer = [(flag: "VALISE_MULTI_BUFFER", library: "IPSec_MB")]
#else
    let multiBuffer: [(flag: String, library: String)] = []
#endif

let fuzzers = [
    "zip", "pages", "json", "scan", "wire", "description", "store", "content", "markdown", "template",
    "compose", "tcfs", "session",
]
/// What the fuzzers read with.
let fuzzed: [Target.Dependency] = [
    "ValiseEncoding",
    "ValiseFiles",
    "ValiseSecrets",
    "ValiseFailures",
    "ValiseCryptography",
    "ValiseDatabase",
    "ValiseMediaRules",
    "ValisePages",
    "ValiseArchives",
    "ValiseCryptoFiles",
    "ValiseXFTPWire",
    "ValiseStorage",
    "ValiseContentStore",
    "ValiseSessionStore",
    "ValiseAccounts",
    "ValiseKeys",
    "ValiseMedia",
    "ValiseMaintenance",
    "ValiseAccountArchives",
    "ValiseRelay",
    "ValiseChatSchema",
    "ValiseChatLog",
    "ValiseComposition",
    "ValiseConcurrency",
    "Fuzzing", "CFuzzer", "CValiseZlib", system,
]

let package = Package(
    name: "valise",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "valise", targets: ["ValiseProgram"]),
        .executable(name: "valise-relay", targets: ["valise-relay"]),
        .library(
            name: "Valise",
            targets: [
                // Those with public declarations (decision 0049).
                "Valise", "ValiseFailures", "ValiseConcurrency", "ValiseSecrets", "ValiseFiles",
                "ValiseDatabase", "ValiseJobQueue", "ValiseMediaRules",
                "ValisePages", "ValiseArchives", "ValiseChatSchema", "ValiseContentStore",
                "ValiseCryptoFiles",
                "ValiseXFTPWire", "ValiseAccounts", "ValiseKeys", "ValiseRelay", "ValiseMedia",
                "ValiseTransfers",
                "ValiseMaintenance", "ValiseAccountArchives", "ValiseMoves", "ValiseComposition",
            ]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.40.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.30.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CValiseSQLCipher", path: "Sources/0-Ground/System/SQLCipher", pkgConfig: "sqlcipher",
            providers: [.apt(["libsqlcipher-dev"]), .brew(["sqlcipher"])]),
        .systemLibrary(
            name: "CValiseZlib", path: "Sources/0-Ground/System/Zlib", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(
            name: "CValiseDeflate", path: "Sources/0-Ground/System/Deflate", pkgConfig: "libdeflate",
            providers: [.apt(["libdeflate-dev"]), .brew(["libdeflate"])]),
        .systemLibrary(
            name: "CValiseZstd", path: "Sources/0-Ground/System/Zstd", pkgConfig: "libzstd",
            providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
        // Not linked: it is loaded when it is first needed (decision 0054).
        .target(
            name: "CValiseArchive", dependencies: ["CValisePlatform"],
            path: "Sources/0-Ground/System/Archive"),
        // The same.
        .target(
            name: "CValiseCurl", dependencies: ["CValisePlatform"], path: "Sources/0-Ground/System/Curl"),
        // The same.
        .target(
            name: "CValisePostgres", dependencies: ["CValisePlatform"],
            path: "Sources/0-Ground/System/Postgres"),
        // The same.
        .target(
            name: "CValiseVips", dependencies: ["CValisePlatform"], path: "Sources/0-Ground/System/Vips"),
        // The same.
        .target(
            name: "CValiseBlake3", dependencies: ["CValisePlatform"], path: "Sources/0-Ground/System/Blake3"),
        // The same.
        .target(
            name: "CValiseArgon2", dependencies: ["CValisePlatform"], path: "Sources/0-Ground/System/Argon2"),
        // The same.
        .target(
            name: "CValiseFuse", dependencies: ["CValisePlatform"], path: "Sources/0-Ground/System/Fuse"),
        .target(
            name: "CValiseZxcvbn", path: "Sources/0-Ground/System/Zxcvbn",
            linkerSettings: [.linkedLibrary("zxcvbn")]),
        .systemLibrary(
            name: "CValiseSodium", path: "Sources/0-Ground/System/Sodium", pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
        .systemLibrary(
            name: "CValiseOpenSSL", path: "Sources/0-Ground/System/OpenSSL", pkgConfig: "libssl",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .target(
            name: "CValiseMultiBuffer", path: "Sources/0-Ground/System/MultiBuffer",
            cSettings: multiBuffer.map { .define($0.flag) },
            linkerSettings: multiBuffer.map { .linkedLibrary($0.library) }),
        .target(name: "CValiseSecretService", path: "Sources/0-Ground/System/SecretService"),
        .target(name: "CValisePlatform", path: "Sources/0-Ground/System/Platform"),
        // 0-Ground
        target(0, "ValiseFailures", [system]),
        target(1, "ValiseEncoding", ["ValiseFailures"], settings: foreign),
        target(
            1, "ValiseSecrets", ["CValisePlatform", "CValiseSodium", "ValiseFailures"], settings: foreign),
        target(1, "ValiseConcurrency", ["CValisePlatform", "ValiseFailures"]),
        target(
            2, "ValiseFiles",
            ["CValisePlatform", "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", system],
            settings: foreign),
        // 1-Engines
        target(
            10, "ValiseCryptography",
            [
                "CValiseArgon2", "CValiseBlake3", "CValiseOpenSSL", "CValiseSodium", "ValiseFailures",
                "ValiseEncoding", "ValiseFiles", "ValiseSecrets", system,
            ], settings: foreign),
        target(
            11, "ValiseDatabase",
            [
                "CValiseSQLCipher", "ValiseFailures", "ValiseEncoding", "ValiseFiles", "ValiseSecrets",
                "ValiseCryptography", system,
            ],
            settings: foreign),
        target(
            11, "ValiseTLS",
            ["CValiseOpenSSL", "ValiseFailures", "ValiseSecrets", "ValiseCryptography", nioCore],
            settings: foreign),
        target(
            13, "ValiseJobQueue",
            [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseFiles", "ValiseSecrets",
                "ValiseDatabase", system,
            ],
            resources: [.embedInCode("Schema")]),
        target(
            14, "ValiseStorage",
            [
                "CValiseCurl", "CValisePlatform", "ValiseConcurrency", "ValiseFailures", "ValiseEncoding",
                "ValiseFiles", "ValiseSecrets", "ValiseCryptography", system,
            ], settings: foreign),
        target(
            14, "ValisePostgres",
            [
                "CValisePostgres", "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseFiles",
                "ValiseSecrets", "ValiseCryptography", "ValiseDatabase", system,
            ], settings: foreign),
        // For programs only.
        target(
            12, "ValiseTerminal",
            [
                "CValisePlatform", "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseFiles",
                "ValiseSecrets", logging, system,
            ], settings: foreign),
        // 2-Formats
        target(20, "ValiseMediaRules", ["ValiseFailures", "ValiseEncoding"], settings: foreign),
        target(
            20, "ValisePages",
            [
                "ValiseConcurrency", "CValiseMultiBuffer", "CValiseOpenSSL", "ValiseFailures",
                "ValiseEncoding", "ValiseFiles", "ValiseSecrets", "ValiseCryptography", system,
            ], settings: foreign),
        target(
            20, "ValiseArchives",
            [
                "ValiseConcurrency", "CValiseDeflate", "CValiseZlib", "ValiseFailures", "ValiseEncoding",
                "ValiseFiles", system,
            ], settings: foreign),
        target(
            21, "ValiseContainers",
            [
                "ValiseConcurrency", "CValiseArchive", "ValiseFailures", "ValiseEncoding", "ValiseFiles",
                "ValiseArchives",
                system,
            ], settings: foreign),
        target(
            21, "ValiseCryptoFiles",
            [
                "ValiseConcurrency", "CValiseSodium", "ValiseFailures", "ValiseEncoding", "ValiseFiles",
                "ValiseSecrets",
                "ValiseCryptography", "ValiseMediaRules", system,
            ], settings: foreign),
        target(
            21, "ValiseRepository",
            [
                "CValiseOpenSSL", "CValiseSodium", "CValiseZstd", "ValiseConcurrency", "ValiseFailures",
                "ValiseEncoding", "ValiseFiles", "ValiseSecrets", "ValiseCryptography", "ValiseStorage",
                system,
            ], settings: foreign),
        target(
            21, "ValiseXFTPWire",
            [
                "CValiseDeflate", "ValiseFailures", "ValiseEncoding", "ValiseSecrets", "ValiseCryptography",
                "ValiseMediaRules",
            ], settings: foreign),
        target(
            21, "ValiseContentStore",
            [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseFiles", "ValiseSecrets",
                "ValiseCryptography", "ValiseStorage", system,
            ], settings: foreign),
        target(
            21, "ValiseSessionStore",
            [
                "CValiseZstd", "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseFiles",
                "ValiseSecrets",
                "ValiseCryptography", "ValiseDatabase", "ValisePages", system,
            ], settings: foreign),
        target(
            22, "ValiseChatSchema", ["ValiseFailures", "ValiseEncoding", "ValiseDatabase", system],
            resources: [.embedInCode("Schema")], settings: foreign),
        // 3-Subjects
        target(
            30, "ValiseAccounts",
            [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseFiles", "ValiseSecrets",
                "ValiseDatabase", "ValiseArchives", "ValiseContainers", "ValisePages", "ValiseChatSchema",
                system,
            ], settings: foreign),
        target(
            30, "ValiseKeys",
            [
                "CValisePlatform", "CValiseSecretService", "CValiseZlib", "CValiseZxcvbn", "ValiseFailures",
                "ValiseEncoding", "ValiseFiles", "ValiseSecrets", "ValiseCryptography", system,
            ], settings: foreign),
        target(
            30, "ValiseXFTPClient",
            [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseSecrets",
                "ValiseCryptography", "ValiseTLS",
                "ValiseXFTPWire", hpack, http2, nioCore, nioPosix, socks, system,
            ], settings: foreign),
        target(
            30, "ValiseRelay",
            [
                "ValiseConcurrency", "CValisePlatform", "ValiseFailures", "ValiseEncoding", "ValiseFiles",
                "ValiseSecrets",
                "ValiseCryptography", "ValiseDatabase", "ValisePostgres", "ValiseStorage", "ValiseTLS",
                "ValiseXFTPWire", hpack, http1, http2, logging, metrics, nioCore, nioPosix, system,
            ], settings: foreign),
        target(
            31, "ValiseMedia",
            [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseFiles", "ValiseSecrets",
                "ValiseCryptography",
                "ValiseDatabase", "ValiseArchives", "ValiseMediaRules", "ValisePages",
                "ValiseCryptoFiles",
                "ValiseAccounts", system, "ValiseChatSchema",
            ], settings: foreign),
        target(
            31, "ValiseTransfers",
            [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseFiles", "ValiseSecrets",
                "ValiseCryptography",
                "ValiseMediaRules", "ValiseCryptoFiles", "ValiseXFTPWire", "ValiseXFTPClient", nioCore,
                nioPosix, system,
            ], settings: foreign),
        target(
            32, "ValiseComposition",
            [
                "CValiseVips", "CValiseZstd", "ValiseFailures", "ValiseEncoding", "ValiseFiles",
                "ValiseMediaRules", "ValiseChatSchema", system,
            ], settings: foreign),
        target(
            32, "ValiseChatLog",
            [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseFiles", "ValiseSecrets",
                "ValiseCryptography", "ValiseDatabase", "ValiseMediaRules", "ValiseCryptoFiles",
                "ValiseSessionStore", "ValiseChatSchema", "ValiseAccounts", "ValiseMedia", system,
            ], resources: [.embedInCode("Web")], settings: foreign),
        target(
            32, "ValiseMaintenance",
            [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseFiles", "ValiseSecrets",
                "ValiseDatabase",
                "ValiseArchives", "ValisePages", "ValiseAccounts", "ValiseMedia",
                "ValiseChatSchema", system,
            ], settings: foreign),
        target(
            33, "ValiseAccountArchives",
            [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseFiles", "ValiseSecrets",
                "ValiseCryptography",
                "ValiseDatabase", "ValiseArchives", "ValiseContainers", "ValisePages",
                "ValiseCryptoFiles",
                "ValiseAccounts", "ValiseMedia", "ValiseMaintenance", system, "ValiseChatSchema",
            ], settings: foreign),
        target(
            33, "ValiseBackups",
            [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseFiles", "ValiseSecrets",
                "ValiseCryptography", "ValiseStorage", "ValiseArchives", "ValisePages", "ValiseRepository",
                "ValiseSessionStore", "ValiseAccounts", system,
            ], settings: foreign),
        target(
            33, "ValiseSampleAccounts",
            [
                "ValiseEncoding", "ValiseFiles", "ValiseSecrets", "ValiseCryptography", "ValiseDatabase",
                "ValiseAccounts", "ValiseMaintenance", system,
            ], resources: [.embedInCode("Media")]),
        target(
            34, "ValiseMoves",
            [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseFiles", "ValiseSecrets",
                "ValiseCryptography",
                "ValiseDatabase", "ValiseArchives", "ValisePages", "ValiseXFTPWire",
                "ValiseAccounts", "ValiseMedia", "ValiseTransfers", "ValiseMaintenance",
                "ValiseAccountArchives", system, "ValiseChatSchema",
            ], settings: foreign),
        target(
            34, "ValiseMounting",
            [
                "CValiseFuse", "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseFiles",
                "ValiseSecrets", "ValiseCryptography", "ValiseStorage", "ValiseContentStore",
                "ValiseRepository", "ValiseArchives", "ValiseAccounts", "ValiseDatabase",
                "ValiseCryptoFiles", "ValiseAccountArchives", "ValiseBackups", http1, nioCore, nioPosix,
                system,
            ], settings: foreign),
        // 4-Operations
        target(
            40, "Valise",
            [
                "CValisePlatform", "ValiseFailures", "ValiseEncoding", "ValiseSecrets", "ValiseFiles",
                "ValiseConcurrency",
                "ValiseCryptography", "ValiseDatabase", "ValiseTLS", "ValiseJobQueue",
                "ValiseMediaRules", "ValisePages", "ValiseArchives", "ValiseContainers", "ValiseChatSchema",
                "ValiseCryptoFiles", "ValiseXFTPWire",
                "ValiseAccounts", "ValiseKeys", "ValiseXFTPClient", "ValiseRelay", "ValiseMedia",
                "ValiseTransfers", "ValiseChatLog", "ValiseComposition", "ValiseMaintenance",
                "ValiseAccountArchives", "ValiseMoves", "ValiseStorage", "ValiseRepository", "ValiseBackups",
                "ValiseContentStore", "ValiseSessionStore", "ValiseMounting", http1, lifecycle,
                logging,
                nioCore, nioPosix, system,
            ], settings: foreign),
        // 5-Commands
        target(
            50, "ValiseCommands",
            ["CValisePlatform", "Valise", "ValiseEncoding", "ValiseTerminal", logging, parser]),

        // Not called as its product is: file systems of macOS fold case, and there is a library Valise.
        program(60, "ValiseProgram", ["Valise", "ValiseCommands"]),
        program(60, "valise-relay", ["ValiseCommands"]),
        program(
            60, "valise-limits",
            [
                "ValiseConcurrency", "CValiseOpenSSL", "ValiseCryptography", "ValiseFiles", "ValisePages",
                "ValiseChatSchema", "ValiseSecrets", system,
            ]),
        program(
            60, "valise-sample",
            ["ValiseFiles", "ValiseSecrets", "ValiseAccounts", "ValiseSampleAccounts", parser, system]),

        .target(
            name: "FaultInjection", dependencies: ["ValiseFiles", system],
            path: "Tests/Support/FaultInjection",
            swiftSettings: strict),
        .target(
            name: "TestPeers", dependencies: ["FaultInjection", system], path: "Tests/Support/TestPeers",
            exclude: ["strict-relay.py", "pages.py"], swiftSettings: strict),
        .target(
            name: "StoreContract",
            dependencies: [
                "ValiseConcurrency", "ValiseFailures", "ValiseFiles", "ValiseSecrets", "ValiseCryptography",
                "ValiseStorage", "FaultInjection", "TestPeers", system,
            ],
            path: "Tests/Support/StoreContract", swiftSettings: strict),
        .target(
            name: "SessionBuilders",
            dependencies: [
                "ValiseEncoding", "ValiseSecrets", "ValiseFiles", "ValiseCryptography", "ValiseDatabase",
                "ValiseSessionStore", "FaultInjection", system,
            ],
            path: "Tests/Support/SessionBuilders", swiftSettings: strict),
        .executableTarget(
            name: "session-sample",
            dependencies: ["ValiseEncoding", "ValiseFiles", "SessionBuilders", system],
            path: "Tests/Support/SessionSample", swiftSettings: strict),
        .target(
            name: "EraDatabases",
            dependencies: ["ValiseSecrets", "ValiseDatabase", "ValiseChatSchema", system],
            path: "Tests/Support/EraDatabases", swiftSettings: strict),
        .executableTarget(
            name: "job-worker", dependencies: ["ValiseConcurrency", "ValiseJobQueue", system],
            path: "Tests/Support/JobWorker",
            swiftSettings: strict),
        .executableTarget(
            name: "postgres-worker", dependencies: ["ValiseDatabase", "ValisePostgres", system],
            path: "Tests/Support/PostgresWorker", swiftSettings: strict),
        .testTarget(name: "ArchitectureTests", swiftSettings: testSettings),
        tests(
            0, "GroundTests",
            dependencies: [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseSecrets", "ValiseFiles",
                "FaultInjection",
                "TestPeers", system,
            ]),
        tests(
            1, "EngineTests", ["Cryptography", "Database", "Migrations", "JobQueue", "Terminal"],
            dependencies: [
                "CValiseOpenSSL", "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseSecrets",
                "ValiseFiles",
                "ValiseCryptography",
                "ValiseDatabase", "ValiseJobQueue", "ValiseTerminal", "FaultInjection", "TestPeers", system,
            ], exclude: ["Cryptography/Certificates/Fixtures"]),
        tests(
            1, "StorageTests", ["Storage"],
            dependencies: [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseSecrets", "ValiseFiles",
                "ValiseCryptography", "ValiseStorage", "FaultInjection", "StoreContract", "TestPeers", system,
            ]),
        tests(
            1, "PostgresTests", ["Postgres"],
            dependencies: [
                "ValiseConcurrency", "ValiseFailures", "ValiseSecrets", "ValiseFiles", "ValiseDatabase",
                "ValisePostgres", "FaultInjection", "TestPeers", system,
            ]),
        tests(
            1, "TLSTests", ["TLS"],
            dependencies: [
                "CValiseOpenSSL", "ValiseFailures", "ValiseEncoding", "ValiseSecrets", "ValiseCryptography",
                "ValiseTLS", "FaultInjection", "TestPeers", nioCore, nioPosix, nioEmbedded, system,
            ], exclude: ["TLS/Support", "TLS/Fixtures"]),
        tests(
            2, "ContentStoreTests", ["ContentStore"],
            dependencies: [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseSecrets", "ValiseFiles",
                "ValiseCryptography", "ValiseStorage", "ValiseContentStore", "FaultInjection", "TestPeers",
                system,
            ],
            exclude: [
                "ContentStore/Fixtures", "ContentStore/Support/tcfs_format.py",
                "ContentStore/Support/tcfs_reader.py", "ContentStore/Support/tcfs_selftest.py",
                "ContentStore/Support/tcfs_writer.py",
            ]),
        tests(
            2, "SessionStoreTests", ["SessionStore"],
            dependencies: [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseSecrets", "ValiseFiles",
                "ValiseCryptography", "ValiseDatabase", "ValisePages", "ValiseSessionStore", "FaultInjection",
                "SessionBuilders", "TestPeers", system,
            ], exclude: ["SessionStore/Fixtures", "SessionStore/Support"]),
        tests(
            2, "FormatTests",
            [
                "Archives", "ChatSchema", "Containers", "CryptoFiles", "MediaRules", "MemorySource.swift",
                "Pages", "Repository", "XFTPWire",
            ],
            dependencies: [
                "ValiseConcurrency", "CValiseZlib", "ValiseFailures", "ValiseEncoding", "ValiseSecrets",
                "ValiseFiles",
                "ValiseCryptography", "ValiseDatabase", "ValiseMediaRules", "ValisePages", "ValiseArchives",
                "ValiseContainers",
                "ValiseCryptoFiles", "ValiseXFTPWire", "ValiseChatSchema", "ValiseAccounts", "ValiseStorage",
                "ValiseRepository", "FaultInjection", "StoreContract", "TestPeers", system,
            ],
            exclude: [
                "ChatSchema/Fixtures", "MediaRules/Fixtures", "CryptoFiles/Fixtures", "CryptoFiles/Support",
                "XFTPWire/Fixtures", "XFTPWire/Support", "Repository/Fixtures", "Repository/Records/Fixtures",
                "Repository/Support",
            ]),
        tests(
            3, "AccountTests",
            ["Accounts", "Backups", "ChatLog", "Keys", "Maintenance", "Media", "SampleAccounts"],
            dependencies: [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseSecrets", "ValiseFiles",
                "ValiseCryptography",
                "ValiseDatabase", "ValiseMediaRules", "ValisePages", "ValiseArchives",
                "ValiseCryptoFiles", "ValiseAccounts", "ValiseKeys", "ValiseMedia", "ValiseMaintenance",
                "ValiseSampleAccounts", "ValiseAccountArchives", "ValiseChatSchema", "ValiseChatLog",
                "ValiseStorage", "ValiseRepository", "ValiseBackups", "StoreContract",
                "FaultInjection", "TestPeers", "EraDatabases", system,
            ], exclude: ["ChatLog/Fixtures", "ChatLog/Session"]),
        // A part of the tests of the chat log that needs little of what the others need.
        .testTarget(
            name: "SessionLogTests",
            dependencies: [
                "ValiseFailures", "ValiseEncoding", "ValiseSecrets", "ValiseFiles", "ValiseDatabase",
                "ValiseSessionStore", "ValiseChatSchema", "ValiseChatLog", "FaultInjection",
                "SessionBuilders", system,
            ], path: "Tests/3-Subjects/ChatLog/Session", swiftSettings: testSettings),
        tests(
            3, "CompositionTests", ["Composition"],
            dependencies: [
                "ValiseFailures", "ValiseEncoding", "ValiseFiles", "ValiseMediaRules", "ValiseChatSchema",
                "ValiseComposition", "FaultInjection", "TestPeers", system,
            ], exclude: ["Composition/Fixtures"]),
        tests(
            3, "ArchiveTests", ["AccountArchives"],
            dependencies: [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseSecrets", "ValiseFiles",
                "ValiseCryptography",
                "ValiseDatabase", "ValiseArchives", "ValiseContainers", "ValiseCryptoFiles", "ValiseAccounts",
                "ValiseMedia",
                "ValiseMaintenance", "ValiseChatSchema", "ValiseSampleAccounts", "ValiseAccountArchives",
                "FaultInjection",
                "TestPeers", system,
            ], exclude: ["AccountArchives/Verification/Support"]),
        tests(
            3, "RelayStoreTests", ["Relay/Moving", "Relay/Store"],
            dependencies: [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseFiles", "ValiseCryptography",
                "ValiseDatabase", "ValisePostgres", "ValiseStorage", "ValiseXFTPWire", "ValiseRelay",
                "FaultInjection", "StoreContract", "TestPeers", system,
            ], exclude: ["Relay/Store/Fixtures"]),
        tests(
            3, "RelayTests", ["Relay/Serving", "XFTPClient"],
            dependencies: [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseSecrets", "ValiseFiles",
                "ValiseCryptography",
                "ValiseTLS", "ValiseXFTPWire", "ValiseXFTPClient", "ValiseRelay", "FaultInjection",
                "TestPeers", nioCore, nioPosix, nioEmbedded, http2, hpack, logging, metrics, system,
            ], exclude: ["Relay/Serving/Fixtures", "Relay/Serving/Support", "XFTPClient/Support/relay.py"]),
        tests(
            3, "TransferTests", ["Transfers"],
            dependencies: [
                "ValiseConcurrency", "ValiseFailures", "ValiseSecrets", "ValiseFiles", "ValiseCryptography",
                "ValiseTLS",
                "ValiseMediaRules", "ValiseCryptoFiles", "ValiseXFTPWire", "ValiseXFTPClient", "ValiseRelay",
                "ValiseTransfers", "FaultInjection", "TestPeers", nioCore, nioPosix, logging, system,
            ], exclude: ["Transfers/Fixtures"]),
        tests(
            3, "MoveTests", ["Moves"],
            dependencies: [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseSecrets", "ValiseFiles",
                "ValiseCryptography",
                "ValiseDatabase", "ValiseTLS", "ValisePages", "ValiseArchives",
                "ValiseXFTPWire", "ValiseAccounts", "ValiseXFTPClient", "ValiseRelay", "ValiseMedia",
                "ValiseTransfers", "ValiseMaintenance", "ValiseSampleAccounts", "ValiseAccountArchives",
                "ValiseMoves", "ValiseChatSchema", "FaultInjection", "TestPeers", nioCore, nioPosix, logging,
                system,
            ], exclude: ["Moves/Support/proof.py"]),
        tests(
            3, "MountTests", ["Mounting"],
            dependencies: [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseSecrets", "ValiseFiles",
                "ValiseCryptography", "ValiseStorage", "ValiseContentStore", "ValiseRepository",
                "ValiseArchives", "ValiseAccounts", "ValiseBackups", "ValiseAccountArchives",
                "ValiseSampleAccounts", "ValiseMounting", "FaultInjection", "TestPeers", system,
            ]),
        tests(
            4, "OperationTests",
            dependencies: [
                "Valise", "ValiseFailures", "ValiseEncoding", "ValiseDatabase", "ValiseChatSchema",
                "ValiseChatLog", "ValiseComposition", "ValiseSampleAccounts", "ValiseStorage",
                "ValiseRepository", "ValiseBackups", "ValiseContentStore", "ValiseSessionStore",
                "FaultInjection", "SessionBuilders", "TestPeers",
                logging,
                system,
            ]),
        // The fuzzers of Fuzz/ without libFuzzer.
        .target(name: "CFuzzer", path: "Fuzz/Sources/CFuzzer"),
        .target(
            name: "Fuzzing",
            dependencies: [
                "CFuzzer", "CValiseZlib", "ValiseFiles", "ValiseArchives", "ValiseDatabase", system,
            ],
            path: "Fuzz/Sources/Fuzzing", swiftSettings: strict),
        .testTarget(
            name: "FuzzTests", dependencies: fuzzed,
            path: "Fuzz",
            exclude: [
                "Corpus", "Dictionaries", "run.sh", "make-seeds.py", "Sources/CFuzzer", "Sources/Fuzzing",
            ]
                + fuzzers.map { "Sources/fuzz-\($0)/main.swift" }
                + ["Sources/fuzz-zip/ZipMutator.swift", "Sources/fuzz-scan/ScanMutator.swift"],
            swiftSettings: strict),
        tests(
            5, "RemedyTests", ["Remedies"],
            dependencies: [
                "ValiseCommands", "ValiseAccounts", "ValiseFailures", "ValiseEncoding", "FaultInjection",
                "TestPeers", parser, system,
            ]),
        tests(
            5, "CommandLineTests", ["Commands"],
            dependencies: [
                "Valise", "ValiseSecrets", "ValiseFiles", "ValiseDatabase", "ValiseArchives",
                "ValiseCryptoFiles",
                "ValiseAccounts", "ValiseMedia", "ValiseMaintenance", "ValiseStorage", "ValiseRepository",
                "ValiseBackups", "FaultInjection", "SessionBuilders", "TestPeers", system,
            ], exclude: ["Commands/Support", "Commands/Fixtures"]),
    ]
)

// VALISE_FUZZ=1 builds the libraries and the fuzzers of Fuzz/, and nothing else. `Fuzz/run.sh` knows the flags with which all
// modules are instrumented. The fuzzers belong to the package for they read what only the package sees.
if Context.environment["VALISE_FUZZ"] != nil {
    let others = [
        "ValiseCommands", "ValiseTerminal", "ValiseSampleAccounts", "FaultInjection", "TestPeers",
        "EraDatabases", "SessionBuilders", "StoreContract",
    ]
    package.targets.removeAll { $0.isTest || $0.type == .executable || others.contains($0.name) }
    package.products.removeAll { $0 is Product.Executable }
    package.targets += fuzzers.map { name in
        .executableTarget(
            name: "fuzz-\(name)", dependencies: fuzzed,
            path: "Fuzz/Sources/fuzz-\(name)", swiftSettings: strict,
            // The gold linker fails over the instrumented modules.
            linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))])
    }
}

// VALISE_TESTS=NAME,NAME builds those test targets and no others: most of a build while one works on one target.
if let wanted = Context.environment["VALISE_TESTS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.isTest && !wanted.contains($0.name) }
}

// VALISE_DOCS=1 brings the plugin that builds the documentation (`make docs`): no build of the programs fetches it.
if Context.environment["VALISE_DOCS"] == "1" {
    package.dependencies.append(
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}
