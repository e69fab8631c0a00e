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
        .library(
            name: "Valise",
            targets: [
                "Secrets", "Files", "Database", "PageCipher", "PageTree", "Archives", "Accounts",
                "KeyStorage", "Migrations", "AccountMaintenance", "AccountChecking", "AccountArchives",
                "Rekeying",
                "RecoverySheets", "MediaRules", "CryptoFiles", "AccountMedia", "MediaEncryption",
            ]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CSQLCipher", pkgConfig: "sqlcipher",
            providers: [.apt(["libsqlcipher-dev"]), .brew(["sqlcipher"])]),
        .systemLibrary(
            name: "CArchive", pkgConfig: "libarchive",
            providers: [.apt(["libarchive-dev"]), .brew(["libarchive"])]),
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(
            name: "CSodium", pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(
            name: "CQREncode", pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]),
        .target(
            name: "CMultiBuffer", cSettings: multiBuffer.map { .define($0.flag) },
            linkerSettings: multiBuffer.map { .linkedLibrary($0.library) }),
        .target(name: "CSecretService"),
        .target(name: "CPlatform"),
        target(0, "Failures", []),

        target(1, "ByteCoding", ["Failures"]),
        target(1, "JSONCoding", []),
        target(1, "MediaRules", ["Failures"]),
        target(1, "Secrets", ["CSodium", "CPlatform", "Failures"]),
        target(1, "Files", ["CPlatform", "Failures", system]),

        target(2, "Sodium", ["CSodium", "Failures", "Secrets"]),
        target(2, "Database", ["CSQLCipher", "Failures", "Files", "Secrets", system]),
        target(
            2, "PageCipher",
            ["COpenSSL", "CMultiBuffer", "ByteCoding", "Failures", "Files", "Secrets", system]),
        target(2, "PageTree", []),
        target(2, "Archives", ["CArchive", "CZlib", "CPlatform", "Failures", "ByteCoding", "Files", system]),

        target(3, "Accounts", ["Failures", "JSONCoding", "Files", "Secrets", "Database", system]),
        target(
            3, "Migrations",
            ["Failures", "ByteCoding", "JSONCoding", "Secrets", "Sodium", "Database", system]),

        target(
            3, "KeyStorage",
            [
                "CSecretService", "CPlatform", "Failures", "ByteCoding", "Files", "Secrets", "Sodium", system,
            ]),

        target(
            3, "CryptoFiles", ["CSodium", "Failures", "JSONCoding", "Files", "Secrets", "Sodium", system]),

        target(
            4, "AccountMedia",
            [
                "MediaRules", "Failures", "ByteCoding", "JSONCoding", "Files", "Secrets", "Database",
                "PageCipher", "Archives",
                "Accounts", "CryptoFiles", system,
            ]),

        target(5, "RecoverySheets", ["CQREncode", "CPlatform", "Failures", "Secrets", system]),
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
            5, "AccountArchives",
            ["Failures", "JSONCoding", "Files", "Secrets", "Database", "Archives", "Accounts", system]),

        target(
            5, "Rekeying",
            [
                "Failures", "JSONCoding", "Files", "Secrets", "Database", "PageCipher", "Accounts", system,
            ]),

        target(
            5, "MediaEncryption",
            [
                "MediaRules", "Failures", "ByteCoding", "JSONCoding", "Files", "Secrets", "Sodium",
                "Database",
                "Archives", "Accounts", "CryptoFiles", "AccountMedia", system,
            ]),

        target(
            6, "ValiseCommands",
            [
                "CPlatform", "Failures", "ByteCoding", "JSONCoding", "Secrets", "Files", "Database",
                "PageCipher", "Archives", "Accounts", "Migrations", "KeyStorage", "AccountMaintenance",
                "AccountChecking", "AccountArchives", "Rekeying", "RecoverySheets", "MediaRules",
                "CryptoFiles", "AccountMedia", "MediaEncryption", parser, system,
            ]),

        target(
            6, "SampleAccounts",
            [
                "ByteCoding", "Files", "Secrets", "Sodium", "Database", "Accounts", "AccountMaintenance",
                system,
            ],
            resources: [.embedInCode("Media")]),

        executable(7, "valise", ["ValiseCommands"]),
        executable(7, "valise-limits", ["Files", "PageCipher", "Secrets", system]),
        executable(7, "valise-sample", ["Files", "Secrets", "Accounts", "SampleAccounts", parser, system]),

        .target(
            name: "FaultInjection", dependencies: ["Files", system], path: "Tests/FaultInjection",
            swiftSettings: strict),
        tests("ArchitectureTests", []),
        tests("FilesTests", ["Files", "Failures", "FaultInjection", system]),
        tests("SecretsTests", ["Secrets"]),
        tests(
            "MediaRulesTests", ["MediaRules", "Failures", "FaultInjection"], exclude: ["Fixtures"]),
        tests(
            "PageCipherTests",
            ["PageCipher", "Files", "Failures", "Secrets", "Database", system]),
        tests("PageTreeTests", ["PageTree"]),
        tests("DatabaseTests", ["Database", "Files", "Failures", "Secrets", "FaultInjection", system]),
        tests("MigrationsTests", ["Migrations", "JSONCoding", "Database", "Failures", "Secrets", system]),
        tests(
            "AccountsTests",
            ["Accounts", "Files", "Failures", "Database", "Secrets", "FaultInjection", system]),
        tests(
            "AccountMaintenanceTests",
            [
                "AccountMaintenance", "AccountArchives", "Accounts", "Archives", "Migrations", "JSONCoding",
                "Database", "Files", "Failures", "Secrets", "FaultInjection", system,
            ]),
        tests(
            "CommandLineTests",
            ["Accounts", "AccountMaintenance", "Database", "Files", "FaultInjection", "Secrets", system],
            exclude: ["Support", "Fixtures"]),
        tests(
            "SalvageTests",
            [
                "AccountMaintenance", "SampleAccounts", "Accounts", "PageCipher", "PageTree", "Database",
                "Files", "Failures", "FaultInjection", "Secrets", system,
            ]),
        tests(
            "ArchivesTests",
            ["Archives", "Files", "Failures", "ByteCoding", "FaultInjection", system]),
        tests(
            "AccountArchivesTests",
            [
                "AccountArchives", "AccountMaintenance", "Accounts", "Archives", "Database", "Files",
                "Failures", "Secrets", system,
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
                "MediaRules", "Sodium", "Accounts", "Archives", "Database", "ByteCoding", "JSONCoding",
                "Files",
                "Failures", "FaultInjection", "Secrets", system,
            ]),

        tests("KeyStorageTests", ["KeyStorage", "Files", "Failures", "FaultInjection", "Secrets", system]),
        tests("RecoverySheetsTests", ["RecoverySheets", "Files", "Secrets", "FaultInjection", system]),
        tests("SodiumTests", ["Sodium"]),
        tests(
            "SampleAccountsTests",
            ["SampleAccounts", "Files", "Secrets", "Database", "Accounts", system]),
    ]
)
