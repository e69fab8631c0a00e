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

let package = Package(
    name: "valise",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "valise", targets: ["valise"]),
        .library(
            name: "Valise",
            targets: [
                "Secrets", "Files", "Database", "Archives", "Accounts", "KeyStorage", "Migrations",
                "AccountMaintenance", "AccountArchives", "RecoverySheets",
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
            name: "CSodium", pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
        .systemLibrary(
            name: "CQREncode", pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]),
        .target(name: "CSecretService"),
        .target(name: "CPlatform"),
        target(0, "Failures", []),

        target(1, "ByteCoding", ["Failures"]),
        target(1, "JSONCoding", []),
        target(1, "Secrets", ["CSodium", "CPlatform", "Failures"]),
        target(1, "Files", ["CPlatform", "Failures", system]),

        target(2, "Sodium", ["CSodium", "Failures", "Secrets"]),
        target(2, "Database", ["CSQLCipher", "Failures", "Files", "Secrets", system]),
        target(2, "Archives", ["CArchive", "CPlatform", "Failures", "ByteCoding", "Files", system]),

        target(3, "Accounts", ["Failures", "JSONCoding", "Files", "Secrets", "Database", system]),
        target(
            3, "Migrations",
            ["Failures", "ByteCoding", "JSONCoding", "Secrets", "Sodium", "Database", system]),

        target(
            3, "KeyStorage",
            [
                "CSecretService", "CPlatform", "Failures", "ByteCoding", "Files", "Secrets", "Sodium", system,
            ]),

        target(4, "RecoverySheets", ["CQREncode", "CPlatform", "Failures", "Secrets", system]),
        target(
            4, "AccountMaintenance",
            ["Failures", "Files", "Secrets", "Database", "Accounts", "Migrations", system],
            resources: [.embedInCode("Schema")]),
        target(
            4, "AccountArchives",
            ["Failures", "JSONCoding", "Files", "Secrets", "Database", "Archives", "Accounts", system]),

        target(
            5, "ValiseCommands",
            [
                "CPlatform", "Failures", "JSONCoding", "Secrets", "Files", "Archives", "Accounts",
                "Migrations", "KeyStorage", "RecoverySheets",
                "AccountMaintenance", "AccountArchives", parser, system,
            ]),

        target(
            5, "SampleAccounts",
            ["Files", "Secrets", "Sodium", "Database", "Accounts", "AccountMaintenance", system],
            resources: [.embedInCode("Media")]),

        executable(6, "valise", ["ValiseCommands"]),
        executable(6, "valise-sample", ["Files", "Secrets", "Accounts", "SampleAccounts", parser, system]),

        .target(
            name: "FaultInjection", dependencies: ["Files", system], path: "Tests/FaultInjection",
            swiftSettings: strict),
        tests("ArchitectureTests", []),
        tests("FilesTests", ["Files", "Failures", "FaultInjection", system]),
        tests("SecretsTests", ["Secrets"]),
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
        tests("ArchivesTests", ["Archives", "Files", "Failures", "ByteCoding", system]),
        tests(
            "AccountArchivesTests",
            [
                "AccountArchives", "AccountMaintenance", "Accounts", "Archives", "Database", "Files",
                "Failures", "Secrets", system,
            ]),

        tests("KeyStorageTests", ["KeyStorage", "Files", "Failures", "FaultInjection", "Secrets", system]),
        tests("RecoverySheetsTests", ["RecoverySheets", "Files", "Secrets", "FaultInjection", system]),
        tests("SodiumTests", ["Sodium"]),
        tests(
            "SampleAccountsTests",
            ["SampleAccounts", "Files", "Secrets", "Database", "Accounts", system]),
    ]
)
