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

let system: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let parser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let http2: Target.Dependency = .product(name: "NIOHTTP2", package: "swift-nio-http2")
let hpack: Target.Dependency = .product(name: "NIOHPACK", package: "swift-nio-http2")
let socks: Target.Dependency = .product(name: "NIOSOCKS", package: "swift-nio-extras")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

let layers = [
    "0-Ground", "1-Engines", "2-Formats", "3-Subjects", "4-Operations", "5-Commands", "6-Programs",
]

func target(
    _ place: Int, _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []
) -> Target {
    let folder = name == "Valise" ? name[...] : name.dropFirst("Valise".count)
    return .target(
        name: name, dependencies: dependencies, path: "Sources/\(layers[place / 10])/\(folder)",
        resources: resources, swiftSettings: strict)
}

func program(_ place: Int, _ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/\(layers[place / 10])/\(name)",
        swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

// intel-ipsec-mb exists for this processor only; elsewhere libcrypto does its work.
#if os(Linux) && arch(x86_64)
    let multiBuffer = [(flag: "VALISE_MULTI_BUFFER", library: "IPSec_MB")]
#else
    let multiBuffer: [(flag: String, library: String)] = []
#endif

let package = Package(
    name: "valise",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "valise", targets: ["ValiseProgram"]),
        .executable(name: "valise-relay", targets: ["valise-relay"]),
        .library(
            name: "Valise",
            targets: [
                "Valise", "ValiseFailures", "ValiseConcurrency", "ValiseEncoding", "ValiseSecrets",
                "ValiseFiles",
                "ValiseCryptography",
                "ValiseDatabase", "ValiseMigrations", "ValiseTLS", "ValiseJobQueue", "ValiseMediaRules",
                "ValisePages", "ValiseArchives", "ValiseCryptoFiles", "ValiseXFTPWire", "ValiseAccounts",
                "ValiseKeys", "ValiseXFTPClient", "ValiseRelay", "ValiseMedia", "ValiseTransfers",
                "ValiseMaintenance", "ValiseAccountArchives", "ValiseMoves",
            ]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.40.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.30.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
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
        target(1, "ValiseEncoding", ["ValiseFailures"]),
        target(1, "ValiseSecrets", ["CValisePlatform", "CValiseSodium", "ValiseFailures"]),
        target(1, "ValiseConcurrency", ["CValisePlatform", "ValiseFailures"]),
        target(2, "ValiseFiles", ["CValisePlatform", "ValiseConcurrency", "ValiseFailures", system]),
        // 1-Engines
        target(
            10, "ValiseCryptography",
            [
                "CValiseOpenSSL", "CValiseSodium", "ValiseFailures", "ValiseEncoding", "ValiseFiles",
                "ValiseSecrets", system,
            ]),
        target(
            10, "ValiseDatabase",
            ["CValiseSQLCipher", "ValiseFailures", "ValiseFiles", "ValiseSecrets", system]),
        target(
            11, "ValiseMigrations",
            [
                "ValiseFailures", "ValiseEncoding", "ValiseSecrets", "ValiseCryptography", "ValiseDatabase",
                system,
            ]),
        target(
            11, "ValiseTLS",
            ["CValiseOpenSSL", "ValiseFailures", "ValiseSecrets", "ValiseCryptography", nioCore]),
        target(
            12, "ValiseJobQueue",
            [
                "ValiseConcurrency", "ValiseFailures", "ValiseFiles", "ValiseSecrets", "ValiseDatabase",
                "ValiseMigrations", system,
            ],
            resources: [.embedInCode("Schema")]),
        // 2-Formats
        target(20, "ValiseMediaRules", ["ValiseFailures"]),
        target(
            20, "ValisePages",
            [
                "ValiseConcurrency", "CValiseMultiBuffer", "CValiseOpenSSL", "ValiseFailures",
                "ValiseEncoding", "ValiseFiles",
                "ValiseSecrets", system,
            ]),
        target(
            20, "ValiseArchives",
            [
                "ValiseConcurrency", "CValiseDeflate", "CValiseZlib", "ValiseFailures", "ValiseEncoding",
                "ValiseFiles", system,
            ]),
        target(
            21, "ValiseCryptoFiles",
            [
                "ValiseConcurrency", "CValiseSodium", "ValiseFailures", "ValiseEncoding", "ValiseFiles",
                "ValiseSecrets",
                "ValiseCryptography", "ValiseMediaRules", system,
            ]),
        target(
            21, "ValiseXFTPWire",
            [
                "CValiseDeflate", "ValiseFailures", "ValiseEncoding", "ValiseSecrets", "ValiseCryptography",
                "ValiseMediaRules",
            ]),
        // 3-Subjects
        target(
            30, "ValiseAccounts",
            [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseFiles", "ValiseSecrets",
                "ValiseDatabase", "ValiseArchives", "ValisePages", system,
            ]),
        target(
            30, "ValiseKeys",
            [
                "CValisePlatform", "CValiseSecretService", "CValiseZlib", "ValiseFailures", "ValiseEncoding",
                "ValiseFiles", "ValiseSecrets", "ValiseCryptography", system,
            ]),
        target(
            30, "ValiseXFTPClient",
            [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseSecrets",
                "ValiseCryptography", "ValiseTLS",
                "ValiseXFTPWire", hpack, http2, nioCore, nioPosix, socks, system,
            ]),
        target(
            30, "ValiseRelay",
            [
                "ValiseConcurrency", "CValisePlatform", "ValiseFailures", "ValiseEncoding", "ValiseFiles",
                "ValiseSecrets",
                "ValiseCryptography", "ValiseTLS", "ValiseXFTPWire", hpack, http2, logging, nioCore, nioPosix,
                system,
            ]),
        target(
            31, "ValiseMedia",
            [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseFiles", "ValiseSecrets",
                "ValiseCryptography",
                "ValiseDatabase", "ValiseArchives", "ValiseMediaRules", "ValisePages", "ValiseCryptoFiles",
                "ValiseAccounts", system,
            ]),
        target(
            31, "ValiseTransfers",
            [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseFiles", "ValiseSecrets",
                "ValiseCryptography",
                "ValiseMediaRules", "ValiseCryptoFiles", "ValiseXFTPWire", "ValiseXFTPClient", nioCore,
                nioPosix, system,
            ]),
        target(
            32, "ValiseMaintenance",
            [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseFiles", "ValiseSecrets",
                "ValiseDatabase",
                "ValiseMigrations", "ValiseArchives", "ValisePages", "ValiseAccounts", "ValiseMedia", system,
            ], resources: [.embedInCode("Schema")]),
        target(
            33, "ValiseAccountArchives",
            [
                "ValiseConcurrency", "ValiseFailures", "ValiseEncoding", "ValiseFiles", "ValiseSecrets",
                "ValiseCryptography",
                "ValiseDatabase", "ValiseMigrations", "ValiseArchives", "ValisePages", "ValiseCryptoFiles",
                "ValiseAccounts", "ValiseMedia", "ValiseMaintenance", system,
            ]),
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
                "ValiseDatabase", "ValiseMigrations", "ValiseArchives", "ValisePages", "ValiseXFTPWire",
                "ValiseAccounts", "ValiseMedia", "ValiseTransfers", "ValiseMaintenance",
                "ValiseAccountArchives", system,
            ]),
        // 4-Operations
        target(
            40, "Valise",
            [
                "CValisePlatform", "ValiseFailures", "ValiseEncoding", "ValiseSecrets", "ValiseFiles",
                "ValiseConcurrency",
                "ValiseCryptography", "ValiseDatabase", "ValiseMigrations", "ValiseTLS", "ValiseJobQueue",
                "ValiseMediaRules", "ValisePages", "ValiseArchives", "ValiseCryptoFiles", "ValiseXFTPWire",
                "ValiseAccounts", "ValiseKeys", "ValiseXFTPClient", "ValiseRelay", "ValiseMedia",
                "ValiseTransfers", "ValiseMaintenance", "ValiseAccountArchives", "ValiseMoves", logging,
                nioPosix,
                system,
            ]),
        // 5-Commands
        target(
            50, "ValiseCommands",
            [
                "CValisePlatform", "Valise", "ValiseConcurrency", "ValiseFailures", "ValiseEncoding",
                "ValiseFiles",
                "ValiseSecrets",
                "ValiseCryptography", "ValiseDatabase", "ValiseMigrations", "ValiseTLS", "ValiseJobQueue",
                "ValiseArchives", "ValiseMediaRules", "ValisePages", "ValiseCryptoFiles", "ValiseXFTPWire",
                "ValiseAccounts", "ValiseKeys", "ValiseRelay", "ValiseXFTPClient", "ValiseMedia",
                "ValiseTransfers", "ValiseMaintenance", "ValiseAccountArchives", "ValiseMoves", logging,
                nioCore, nioPosix, parser, system,
            ]),

        // Not called as its product is: file systems of macOS fold case, and there is a library Valise.
        program(60, "ValiseProgram", ["ValiseCommands"]),
        program(60, "valise-relay", ["ValiseCommands"]),
        program(
            60, "valise-limits",
            [
                "ValiseConcurrency", "CValiseOpenSSL", "ValiseCryptography", "ValiseFiles", "ValisePages",
                "ValiseSecrets", system,
            ]),
        program(
            60, "valise-sample",
            ["ValiseFiles", "ValiseSecrets", "ValiseAccounts", "ValiseSampleAccounts", parser, system]),

        .target(
            name: "FaultInjection", dependencies: ["ValiseFiles", system], path: "Tests/FaultInjection",
            swiftSettings: strict),
        .target(
            name: "TestPeers", dependencies: ["FaultInjection", system], path: "Tests/Peers",
            exclude: ["strict-relay.py"], swiftSettings: strict),
        tests("ArchitectureTests", []),
        tests(
            "CommandsTests",
            [
                "ValiseCommands", "ValiseAccounts", "ValiseFailures", "ValiseEncoding", "FaultInjection",
                parser,
                system,
            ]),
        tests("FilesTests", ["ValiseFiles", "ValiseFailures", "FaultInjection", system]),
        tests("ConcurrencyTests", ["ValiseConcurrency", "ValiseFailures"]),
        tests("SecretsTests", ["ValiseSecrets"]),
        tests(
            "MediaRulesTests", ["ValiseMediaRules", "ValiseFailures", "FaultInjection"], exclude: ["Fixtures"]
        ),
        tests(
            "PageCipherTests",
            [
                "ValisePages", "ValiseFiles", "ValiseFailures", "ValiseSecrets", "ValiseDatabase",
                "FaultInjection", system,
            ]),
        tests("PageTreeTests", ["ValisePages"]),
        tests(
            "DatabaseTests",
            ["ValiseDatabase", "ValiseFiles", "ValiseFailures", "ValiseSecrets", "FaultInjection", system]),
        tests(
            "MigrationsTests",
            [
                "ValiseMigrations", "ValiseEncoding", "ValiseDatabase", "ValiseFailures", "ValiseSecrets",
                system,
            ]),
        tests(
            "AccountsTests",
            [
                "ValiseAccounts", "ValiseFiles", "ValiseFailures", "ValiseDatabase", "ValiseSecrets",
                "FaultInjection", system,
            ]),
        tests(
            "AccountMaintenanceTests",
            [
                "ValiseConcurrency", "ValiseMaintenance", "ValiseAccountArchives", "ValiseMedia",
                "ValiseAccounts",
                "ValiseArchives", "ValiseMigrations", "ValiseEncoding", "ValiseDatabase", "ValiseFiles",
                "ValiseFailures", "ValiseSecrets", "FaultInjection", system,
            ]),
        tests(
            "CommandLineTests",
            [
                "ValiseAccounts", "ValiseMaintenance", "ValiseMedia", "ValiseArchives", "ValiseCryptoFiles",
                "ValiseDatabase", "ValiseFiles", "FaultInjection", "TestPeers", "ValiseSecrets", system,
            ],
            exclude: ["Support", "Fixtures"]),
        tests(
            "SalvageTests",
            [
                "ValiseMaintenance", "ValiseSampleAccounts", "ValiseAccounts", "ValisePages",
                "ValiseDatabase", "ValiseFiles", "ValiseFailures", "FaultInjection", "ValiseSecrets", system,
            ]),
        tests(
            "ArchivesTests",
            [
                "ValiseConcurrency", "ValiseArchives", "CValiseZlib", "ValiseFiles", "ValiseFailures",
                "ValiseEncoding",
                "FaultInjection", system,
            ]),
        tests(
            "AccountArchivesTests",
            [
                "ValiseConcurrency", "ValiseAccountArchives", "ValiseMedia", "ValiseMaintenance",
                "ValiseSampleAccounts",
                "ValiseCryptoFiles", "ValiseCryptography", "ValiseAccounts", "ValiseArchives",
                "ValiseEncoding", "ValiseDatabase", "ValiseFiles", "ValiseFailures", "FaultInjection",
                "ValiseSecrets", system,
            ]),

        tests(
            "RekeyingTests",
            [
                "ValiseMaintenance", "ValisePages", "ValiseAccounts", "ValiseEncoding", "ValiseDatabase",
                "ValiseFiles", "ValiseFailures", "FaultInjection", "ValiseSecrets", system,
            ]),
        tests(
            "AccountCheckingTests",
            [
                "ValiseMaintenance", "ValiseSampleAccounts", "ValiseAccounts", "ValiseArchives",
                "ValiseDatabase", "ValisePages", "ValiseFiles", "ValiseFailures", "ValiseSecrets",
                "FaultInjection", system,
            ]),

        tests(
            "AccountMediaTests",
            [
                "ValiseConcurrency", "ValiseMedia", "ValiseMaintenance", "ValiseSampleAccounts",
                "ValiseCryptoFiles",
                "ValiseMediaRules", "ValiseCryptography", "ValiseAccounts", "ValiseArchives",
                "ValiseDatabase", "ValiseEncoding", "ValiseFiles", "ValiseFailures", "FaultInjection",
                "ValiseSecrets", system,
            ]),
        tests(
            "MediaEncryptionTests",
            [
                "ValiseConcurrency", "ValiseMedia", "ValiseMaintenance", "ValiseSampleAccounts",
                "ValiseCryptoFiles",
                "ValiseMediaRules", "ValiseCryptography", "ValiseAccounts", "ValiseArchives",
                "ValiseDatabase", "ValiseEncoding", "ValiseFiles", "ValiseFailures", "FaultInjection",
                "ValiseSecrets", system,
            ]),
        tests(
            "ArchiveVerificationTests",
            [
                "ValiseConcurrency", "ValiseAccountArchives", "ValiseMaintenance", "ValiseMedia",
                "ValiseSampleAccounts",
                "ValiseAccounts", "ValiseArchives", "ValiseDatabase", "ValiseFiles", "ValiseFailures",
                "FaultInjection", "ValiseSecrets", system,
            ], exclude: ["Support"]),
        tests(
            "ArchiveSalvageTests",
            [
                "ValiseConcurrency", "ValiseAccountArchives", "ValiseMaintenance", "ValiseSampleAccounts",
                "ValiseAccounts",
                "ValiseArchives", "ValiseDatabase", "ValiseFiles", "ValiseFailures", "FaultInjection",
                "ValiseSecrets", system,
            ]),
        tests(
            "AccountComparisonTests",
            [
                "ValiseConcurrency", "ValiseAccountArchives", "ValiseMaintenance", "ValiseMedia",
                "ValiseSampleAccounts",
                "ValiseAccounts", "ValiseArchives", "ValiseDatabase", "ValiseFiles", "ValiseFailures",
                "FaultInjection", "ValiseEncoding", "ValiseSecrets", "ValiseCryptography", system,
            ]),

        tests(
            "DeviceMigrationTests",
            [
                "ValiseConcurrency", "ValiseMoves", "ValiseTransfers", "ValiseAccountArchives",
                "ValiseMaintenance", "ValiseMedia",
                "ValiseSampleAccounts", "ValiseXFTPWire", "ValiseXFTPClient", "ValiseRelay",
                "ValiseCryptography", "ValiseAccounts", "ValiseArchives", "ValiseEncoding", "ValiseDatabase",
                "ValiseFiles", "ValiseFailures", "FaultInjection", "TestPeers", "ValiseMigrations",
                "ValisePages", "ValiseSecrets", "ValiseTLS", nioCore, nioPosix, logging, system,
            ], exclude: ["Support/proof.py"]),
        tests(
            "XFTPClientTests",
            [
                "ValiseXFTPClient", "ValiseRelay", "ValiseXFTPWire", "ValiseTLS", "ValiseCryptography",
                "ValiseFailures", "FaultInjection", "TestPeers", "ValiseSecrets", nioCore, nioPosix,
                nioEmbedded, http2, hpack, logging, system,
            ], exclude: ["Support/relay.py"]),
        .executableTarget(
            name: "job-worker", dependencies: ["ValiseJobQueue", system], path: "Tests/JobWorker",
            swiftSettings: strict),
        tests(
            "JobQueueTests",
            [
                "ValiseJobQueue", "ValiseMigrations", "ValiseDatabase", "ValiseFiles", "ValiseFailures",
                "FaultInjection", "ValiseSecrets", system,
            ]),
        tests(
            "KeyStorageTests",
            ["ValiseKeys", "ValiseFiles", "ValiseFailures", "FaultInjection", "ValiseSecrets", system]),
        tests(
            "RecoverySheetsTests", ["ValiseKeys", "ValiseFiles", "ValiseSecrets", "FaultInjection", system]),
        tests("SodiumTests", ["ValiseCryptography", "ValiseSecrets"]),
        tests(
            "XFTPRelayTests",
            [
                "ValiseRelay", "ValiseXFTPWire", "ValiseTLS", "ValiseCryptography", "ValiseEncoding",
                "ValiseFiles", "ValiseFailures", "ValiseSecrets", "FaultInjection", nioCore, nioPosix,
                nioEmbedded, logging, system,
            ],
            exclude: ["Fixtures", "Support"]),
        tests(
            "XFTPWireTests",
            [
                "ValiseXFTPWire", "ValiseEncoding", "ValiseMediaRules", "ValiseSecrets", "ValiseCryptography",
                "ValiseFailures", "FaultInjection",
            ], exclude: ["Fixtures", "Support"]),
        tests(
            "FileTransfersTests",
            [
                "ValiseTransfers", "ValiseXFTPWire", "ValiseXFTPClient", "ValiseRelay", "ValiseCryptography",
                "ValiseTLS", "ValiseMediaRules", "ValiseCryptoFiles", "ValiseSecrets", "ValiseFiles",
                "ValiseFailures", "FaultInjection", "TestPeers", nioCore, nioPosix, logging, system,
            ], exclude: ["Fixtures"]),
        tests(
            "XFTPStoreTests",
            [
                "ValiseRelay", "ValiseXFTPWire", "ValiseEncoding", "ValiseCryptography", "ValiseFiles",
                "ValiseFailures", "FaultInjection", system,
            ], exclude: ["Fixtures"]),
        tests("ByteCodingTests", ["ValiseEncoding"]),
        tests(
            "CertificatesTests",
            [
                "ValiseCryptography", "ValiseEncoding", "ValiseFailures", "FaultInjection", "ValiseSecrets",
                system,
            ],
            exclude: ["Fixtures"]),
        tests(
            "TLSChannelTests",
            [
                "ValiseTLS", "CValiseOpenSSL", "ValiseCryptography", "ValiseEncoding", "ValiseFailures",
                "FaultInjection", "ValiseSecrets", nioCore, nioEmbedded, nioPosix, system,
            ],
            exclude: ["Support", "Fixtures"]),
        tests(
            "CryptoFilesTests",
            [
                "ValiseConcurrency", "ValiseCryptoFiles", "ValiseCryptography", "ValiseEncoding",
                "ValiseFiles", "ValiseFailures",
                "ValiseSecrets", "FaultInjection", system,
            ],
            exclude: ["Fixtures", "Support"]),
        tests(
            "SampleAccountsTests",
            [
                "ValiseSampleAccounts", "ValiseFiles", "ValiseSecrets", "ValiseDatabase", "ValiseAccounts",
                system,
            ]),
    ]
)

// VALISE_TESTS=NAME,NAME builds those test targets and no others: most of a build while one works on one target.
if let wanted = Context.environment["VALISE_TESTS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.isTest && !wanted.contains($0.name) }
}
