// swift-tools-version: 6.2
import PackageDescription

// A program of somebody else: it has modules of its own called as parts of Valise might be, and imports Valise alone.

// Where there are no frameworks of Apple, the sample of a File Provider extension is compiled against declarations of what it uses.
#if os(Linux)
    let samples: [Target] = [
        .target(name: "UniformTypeIdentifiers", swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(
            name: "FileProvider", dependencies: ["UniformTypeIdentifiers"],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(
            name: "Extension", dependencies: ["FileProvider", "UniformTypeIdentifiers"],
            swiftSettings: [.swiftLanguageMode(.v5)]),
    ]
#else
    let samples: [Target] = []
#endif

let package = Package(
    name: "consumer",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "valise", path: "../..")],
    targets: [
        .target(name: "Files"), .target(name: "Database"), .target(name: "Archives"), .target(name: "Sodium"),
        .target(name: "Secrets"),
        .executableTarget(
            name: "Consumer",
            dependencies: [
                "Files", "Database", "Archives", "Sodium", "Secrets",
                .product(name: "Valise", package: "valise"),
            ]),
    ] + samples
)
