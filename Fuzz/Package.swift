// swift-tools-version: 6.2
import PackageDescription

// Fuzzers of everything that reads what others wrote. A package of its own, so that nobody who builds Valise
// builds them; `Fuzz/run.sh` knows the flags with which all modules are instrumented.

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let valise: Target.Dependency = .product(name: "Valise", package: "valise")
let system: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")

func fuzzer(_ name: String) -> Target {
    .executableTarget(
        name: name, dependencies: ["Fuzzing", "CFuzzer", valise, system], swiftSettings: strict,
        // The gold linker fails over the instrumented modules.
        linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))])
}

let package = Package(
    name: "valise-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "valise", path: ".."),
        .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
    ],
    targets: [
        .target(name: "CFuzzer"),
        .target(name: "Fuzzing", dependencies: ["CFuzzer", valise, system], swiftSettings: strict),
        fuzzer("fuzz-zip"),
        fuzzer("fuzz-pages"),
        fuzzer("fuzz-json"),
        fuzzer("fuzz-scan"),
        fuzzer("fuzz-wire"),
        fuzzer("fuzz-description"),
        fuzzer("fuzz-store"),
    ]
)
