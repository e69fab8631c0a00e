// swift-tools-version: 6.2
import PackageDescription

// Every target stands on one line with its layer: a target depends on lower layers only. The same table
// is read by Tests/ArchitectureTests, which also compares it with the import lines of the sources.

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

func target(
    _ layer: Int, _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []
) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

func executable(_ layer: Int, _ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict)
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
        .executable(name: "valise", targets: ["valise"]),
        .executable(name: "valise-relay", targets: ["valise-relay"]),
        .library(
            name: "Valise",
            targets: [
                "Secrets", "Files", "Database", "PageCipher", "PageTree", "Archives", "Accounts",
                "KeyStorage", "Migrations", "AccountMaintenance", "AccountChecking", "AccountArchives",
                "Rekeying",
                "RecoverySheets", "MediaRules", "CryptoFiles", "AccountMedia", "MediaEncryption",
                "ArchiveVerification", "ArchiveSalvage", "AccountComparison", "Certificates", "TLSChannel",
                "XFTPWire", "XFTPClient", "XFTPStore", "FileTransfers", "XFTPRelay", "DeviceMigration",
                "JobQueue",
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
            name: "CSQLCipher", pkgConfig: "sqlcipher",
            providers: [.apt(["libsqlcipher-dev"]), .brew(["sqlcipher"])]),
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(
            name: "CDeflate", pkgConfig: "libdeflate",
            providers: [.apt(["libdeflate-dev"]), .brew(["libdeflate"])]),
        .systemLibrary(
            name: "CSodium", pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "libssl",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .target(
            name: "CMultiBuffer", cSettings: multiBuffer.map { .define($0.flag) },
            linkerSettings: multiBuffer.map { .linkedLibrary($0.library) }),
        .target(name: "CSecretService"),
        .target(name: "CPlatform"),
        target(0, "Failures", []),

        target(1, "ByteCoding", ["Failures"]),
        target(1, "JSONCoding", ["Failures"]),
        target(1, "MediaRules", ["Failures"]),
        target(1, "Secrets", ["CSodium", "CPlatform", "Failures"]),
        target(1, "Files", ["CPlatform", "Failures", system]),

        target(2, "Digests", ["COpenSSL", "Files"]),
        target(2, "Sodium", ["CSodium", "Failures", "Files", "Secrets", system]),
        target(2, "Certificates", ["COpenSSL", "Failures", "ByteCoding", "Secrets"]),
        target(2, "Database", ["CSQLCipher", "Failures", "Files", "Secrets", system]),
        target(
            2, "PageCipher",
            ["COpenSSL", "CMultiBuffer", "ByteCoding", "Failures", "Files", "Secrets", system]),
        target(2, "PageTree", []),
        target(2, "Archives", ["CDeflate", "CZlib", "Failures", "ByteCoding", "Files", system]),

        target(3, "Accounts", ["Failures", "JSONCoding", "Files", "Secrets", "Database", system]),
        target(
            3, "Migrations",
            ["Failures", "ByteCoding", "JSONCoding", "Secrets", "Digests", "Database", system]),

        target(
            3, "KeyStorage",
            [
                "CSecretService", "CPlatform", "Failures", "ByteCoding", "Files", "Secrets", "Digests",
                system,
            ]),

        target(
            3, "CryptoFiles",
            [
                "CSodium", "Failures", "JSONCoding", "MediaRules", "Files", "Secrets", "Sodium", system,
            ]),

        target(
            3, "TLSChannel", ["COpenSSL", "Failures", "Secrets", "Certificates", nioCore]),
        target(
            3, "XFTPWire",
            [
                "CDeflate", "Failures", "ByteCoding", "JSONCoding", "MediaRules", "Secrets", "Digests",
                "Sodium", "Certificates",
            ]),

        target(
            4, "JobQueue",
            ["Failures", "Files", "Secrets", "Database", "Migrations", system],
            resources: [.embedInCode("Schema")]),
        target(
            4, "XFTPClient",
            [
                "Failures", "ByteCoding", "Secrets", "Digests", "Sodium", "Certificates", "TLSChannel",
                "XFTPWire", nioCore,
                nioPosix, http2, hpack, socks, system,
            ]),
        target(
            4, "XFTPStore",
            [
                "Failures", "ByteCoding", "JSONCoding", "Files", "Secrets", "Digests", "Sodium", "XFTPWire",
                system,
            ]),
        target(
            4, "AccountMedia",
            [
                "MediaRules", "Failures", "ByteCoding", "JSONCoding", "Files", "Secrets", "Database",
                "PageCipher", "Archives",
                "Accounts", "CryptoFiles", system,
            ]),

        target(5, "RecoverySheets", ["CZlib", "Failures", "Secrets"]),
        target(
            5, "AccountMaintenance",
            [
                "Failures", "Files", "Secrets", "Database", "PageCipher", "PageTree", "Accounts",
                "AccountMedia", "Migrations", system,
            ],
            resources: [.embedInCode("Schema")]),
        target(
            5, "AccountChecking",
            [
                "Failures", "Files", "Secrets", "Database", "PageCipher", "PageTree", "Archives", "Accounts",
                "AccountMedia", system,
            ]),
        target(
            6, "AccountArchives",
            [
                "Failures", "ByteCoding", "JSONCoding", "Files", "Secrets", "Digests", "Database",
                "PageCipher", "Archives", "Accounts", "CryptoFiles", "AccountMedia", "AccountMaintenance",
                "AccountChecking", system,
            ]),

        target(
            5, "Rekeying",
            [
                "Failures", "JSONCoding", "Files", "Secrets", "Database", "PageCipher", "Accounts", system,
            ]),

        target(
            5, "MediaEncryption",
            [
                "MediaRules", "Failures", "ByteCoding", "JSONCoding", "Files", "Secrets", "Digests", "Sodium",
                "Database",
                "Archives", "Accounts", "CryptoFiles", "AccountMedia", system,
            ]),

        target(
            5, "FileTransfers",
            [
                "Failures", "ByteCoding", "JSONCoding", "MediaRules", "Files", "Secrets", "Digests", "Sodium",
                "CryptoFiles", "XFTPWire", "XFTPClient", nioCore, nioPosix, system,
            ]),
        target(
            5, "XFTPRelay",
            [
                "CPlatform", "Failures", "ByteCoding", "JSONCoding", "Files", "Secrets", "Digests", "Sodium",
                "Certificates", "TLSChannel", "XFTPWire", "XFTPStore", nioCore, nioPosix, http2, hpack,
                logging, system,
            ]),

        target(
            7, "ArchiveVerification",
            [
                "Failures", "ByteCoding", "Files", "Secrets", "Database", "Archives", "Accounts",
                "Migrations", "AccountMedia", "AccountMaintenance", "AccountChecking", "AccountArchives",
                system,
            ]),
        target(
            7, "ArchiveSalvage",
            [
                "Failures", "JSONCoding", "Files", "Secrets", "Database", "PageCipher", "Archives",
                "Accounts", "AccountMedia", "AccountMaintenance", "AccountChecking", "AccountArchives",
                system,
            ]),
        target(
            7, "AccountComparison",
            [
                "Failures", "Files", "Secrets", "Digests", "Database", "Archives", "Accounts", "CryptoFiles",
                "AccountMedia", "AccountArchives", system,
            ]),

        target(
            7, "DeviceMigration",
            [
                "Failures", "ByteCoding", "JSONCoding", "Files", "Secrets", "Digests", "Database",
                "PageCipher", "Archives", "XFTPWire", "Accounts", "AccountMedia", "AccountMaintenance",
                "AccountArchives", "Migrations", "Rekeying", "FileTransfers", system,
            ]),

        target(
            8, "ValiseCommands",
            [
                "CPlatform", "Failures", "ByteCoding", "JSONCoding", "Secrets", "Files", "Digests",
                "Database",
                "PageCipher", "Archives", "Accounts", "Migrations", "KeyStorage", "AccountMaintenance",
                "AccountChecking", "AccountArchives", "Rekeying", "RecoverySheets", "MediaRules",
                "CryptoFiles", "AccountMedia", "MediaEncryption", "ArchiveVerification", "ArchiveSalvage",
                "AccountComparison", "DeviceMigration", "Certificates", "TLSChannel", "XFTPWire",
                "XFTPClient", "FileTransfers", "XFTPRelay",
                "XFTPStore", "JobQueue", nioCore, nioPosix, logging, parser, system,
            ]),

        target(
            6, "SampleAccounts",
            [
                "ByteCoding", "Files", "Secrets", "Sodium", "Database", "Accounts", "AccountMaintenance",
                system,
            ],
            resources: [.embedInCode("Media")]),

        executable(9, "valise", ["ValiseCommands"]),
        executable(9, "valise-relay", ["ValiseCommands"]),
        executable(
            9, "valise-limits",
            ["COpenSSL", "Digests", "Files", "PageCipher", "Secrets", "Sodium", system]),
        executable(9, "valise-sample", ["Files", "Secrets", "Accounts", "SampleAccounts", parser, system]),

        .target(
            name: "FaultInjection", dependencies: ["Files", system], path: "Tests/FaultInjection",
            swiftSettings: strict),
        .target(
            name: "TestPeers", dependencies: ["FaultInjection", system], path: "Tests/Peers",
            exclude: ["strict-relay.py"], swiftSettings: strict),
        tests("ArchitectureTests", []),
        tests("FilesTests", ["Files", "Failures", "FaultInjection", system]),
        tests("SecretsTests", ["Secrets"]),
        tests(
            "MediaRulesTests", ["MediaRules", "Failures", "FaultInjection"], exclude: ["Fixtures"]),
        tests(
            "PageCipherTests",
            ["PageCipher", "Files", "Failures", "Secrets", "Database", "FaultInjection", system]),
        tests("PageTreeTests", ["PageTree"]),
        tests("DatabaseTests", ["Database", "Files", "Failures", "Secrets", "FaultInjection", system]),
        tests("MigrationsTests", ["Migrations", "JSONCoding", "Database", "Failures", "Secrets", system]),
        tests(
            "AccountsTests",
            ["Accounts", "Files", "Failures", "Database", "Secrets", "FaultInjection", system]),
        tests(
            "AccountMaintenanceTests",
            [
                "AccountMaintenance", "AccountArchives", "AccountMedia", "Accounts", "Archives", "Migrations",
                "JSONCoding", "Database", "Files", "Failures", "Secrets", "FaultInjection", system,
            ]),
        tests(
            "CommandLineTests",
            [
                "Accounts", "AccountMaintenance", "AccountMedia", "Archives", "CryptoFiles", "Database",
                "Files", "FaultInjection", "TestPeers", "Secrets", system,
            ],
            exclude: ["Support", "Fixtures"]),
        tests(
            "SalvageTests",
            [
                "AccountMaintenance", "SampleAccounts", "Accounts", "PageCipher", "PageTree", "Database",
                "Files", "Failures", "FaultInjection", "Secrets", system,
            ]),
        tests(
            "ArchivesTests",
            ["Archives", "CZlib", "Files", "Failures", "ByteCoding", "FaultInjection", system]),
        tests(
            "AccountArchivesTests",
            [
                "AccountArchives", "AccountMedia", "AccountMaintenance", "SampleAccounts", "CryptoFiles",
                "Digests", "Sodium", "Accounts", "Archives", "ByteCoding", "Database", "Files", "Failures",
                "FaultInjection", "Secrets", system,
            ]),

        tests(
            "RekeyingTests",
            [
                "Rekeying", "PageCipher", "AccountMaintenance", "Accounts", "JSONCoding", "Database",
                "Files", "Failures", "FaultInjection", "Secrets", system,
            ]),
        tests(
            "AccountCheckingTests",
            [
                "AccountChecking", "AccountMaintenance", "SampleAccounts", "Accounts", "Archives", "Database",
                "PageCipher", "Files", "Failures", "Secrets", "FaultInjection", system,
            ]),

        tests(
            "AccountMediaTests",
            [
                "AccountMedia", "AccountMaintenance", "SampleAccounts", "CryptoFiles", "MediaRules", "Sodium",
                "Accounts", "Archives", "Database", "ByteCoding", "Files", "Failures", "FaultInjection",
                "Secrets",
                system,
            ]),
        tests(
            "MediaEncryptionTests",
            [
                "MediaEncryption", "AccountMedia", "AccountMaintenance", "SampleAccounts", "CryptoFiles",
                "MediaRules", "Digests", "Sodium", "Accounts", "Archives", "Database", "ByteCoding",
                "JSONCoding",
                "Files",
                "Failures", "FaultInjection", "Secrets", system,
            ]),
        tests(
            "ArchiveVerificationTests",
            [
                "ArchiveVerification", "AccountArchives", "AccountChecking", "AccountMedia",
                "AccountMaintenance", "SampleAccounts", "Accounts", "Archives", "Database", "Files",
                "Failures", "FaultInjection", "Secrets", system,
            ], exclude: ["Support"]),
        tests(
            "ArchiveSalvageTests",
            [
                "ArchiveSalvage", "AccountArchives", "AccountMaintenance", "SampleAccounts", "Accounts",
                "Archives", "Database", "Files", "Failures", "FaultInjection", "Secrets", system,
            ]),
        tests(
            "AccountComparisonTests",
            [
                "AccountComparison", "AccountArchives", "AccountMaintenance", "AccountMedia",
                "SampleAccounts",
                "Accounts", "Archives", "Database", "Files", "Failures", "FaultInjection", "JSONCoding",
                "Rekeying", "Secrets", "Sodium", system,
            ]),

        tests(
            "DeviceMigrationTests",
            [
                "DeviceMigration", "FileTransfers", "AccountArchives", "AccountMaintenance", "AccountMedia",
                "SampleAccounts", "Rekeying", "XFTPWire", "XFTPClient", "XFTPRelay", "XFTPStore",
                "Certificates", "Accounts", "Archives", "ByteCoding", "Database", "Digests", "Files",
                "Failures", "FaultInjection", "TestPeers", "JSONCoding", "Migrations", "PageCipher",
                "Secrets",
                "Sodium", "TLSChannel", nioCore, nioPosix, logging, system,
            ], exclude: ["Support/proof.py"]),
        tests(
            "XFTPClientTests",
            [
                "XFTPClient", "XFTPRelay", "XFTPStore", "XFTPWire", "TLSChannel", "Certificates", "Digests",
                "Failures", "FaultInjection", "TestPeers", "Secrets", "Sodium", nioCore, nioPosix,
                nioEmbedded, http2, hpack, logging, system,
            ], exclude: ["Support/relay.py"]),
        .executableTarget(
            name: "job-worker", dependencies: ["JobQueue", system], path: "Tests/JobWorker",
            swiftSettings: strict),
        tests(
            "JobQueueTests",
            [
                "JobQueue", "Migrations", "Database", "Files", "Failures", "FaultInjection", "Secrets",
                system,
            ]),
        tests("KeyStorageTests", ["KeyStorage", "Files", "Failures", "FaultInjection", "Secrets", system]),
        tests("RecoverySheetsTests", ["RecoverySheets", "Files", "Secrets", "FaultInjection", system]),
        tests("SodiumTests", ["Sodium", "Digests", "Secrets"]),
        tests(
            "XFTPRelayTests",
            [
                "XFTPRelay", "XFTPStore", "XFTPWire", "TLSChannel", "Certificates", "ByteCoding", "Files",
                "Failures", "Secrets", "FaultInjection", nioCore, nioPosix, nioEmbedded, logging, system,
            ],
            exclude: ["Fixtures", "Support"]),
        tests(
            "XFTPWireTests",
            [
                "XFTPWire", "ByteCoding", "JSONCoding", "MediaRules", "Secrets", "Digests", "Sodium",
                "Certificates", "Failures", "FaultInjection",
            ], exclude: ["Fixtures", "Support"]),
        tests(
            "FileTransfersTests",
            [
                "FileTransfers", "XFTPWire", "XFTPClient", "XFTPStore", "XFTPRelay", "Certificates",
                "TLSChannel",
                "MediaRules", "CryptoFiles", "Digests", "Sodium", "Secrets", "Files", "Failures",
                "FaultInjection", "TestPeers", nioCore, nioPosix, logging, system,
            ], exclude: ["Fixtures"]),
        tests(
            "XFTPStoreTests",
            [
                "XFTPStore", "XFTPWire", "ByteCoding", "JSONCoding", "Digests", "Files", "Failures",
                "FaultInjection", system,
            ], exclude: ["Fixtures"]),
        tests("ByteCodingTests", ["ByteCoding"]),
        tests(
            "CertificatesTests",
            ["Certificates", "ByteCoding", "Failures", "FaultInjection", "Secrets", system],
            exclude: ["Fixtures"]),
        tests(
            "TLSChannelTests",
            [
                "TLSChannel", "COpenSSL", "Certificates", "ByteCoding", "Failures", "FaultInjection",
                "Secrets", nioCore,
                nioEmbedded, nioPosix, system,
            ],
            exclude: ["Support", "Fixtures"]),
        tests(
            "CryptoFilesTests",
            [
                "CryptoFiles", "Digests", "Sodium", "JSONCoding", "Files", "Failures", "Secrets",
                "FaultInjection",
                system,
            ],
            exclude: ["Fixtures", "Support"]),
        tests(
            "SampleAccountsTests",
            ["SampleAccounts", "Files", "Secrets", "Database", "Accounts", system]),
    ]
)

// VALISE_TESTS=NAME,NAME builds those test targets and no others: most of a build while one works on one target.
if let wanted = Context.environment["VALISE_TESTS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.isTest && !wanted.contains($0.name) }
}
