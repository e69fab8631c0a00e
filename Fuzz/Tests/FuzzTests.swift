import Foundation
import Fuzzing
import Testing

/// The short form of the fuzzers (`make fuzz`), in the build of the tests: every kept input, then some seconds of mutations
/// that no coverage guides. A broken promise ends the process, and says of which input.
@Suite(.serialized) struct FuzzTests {
    struct Fuzzer: Sendable, CustomTestStringConvertible {
        let name: String
        let run: @Sendable ([UInt8]) -> Void
        var forge: @Sendable ([UInt8], inout FuzzRandom) -> [UInt8]? = { _, _ in nil }

        var testDescription: String { name }
    }

    static let all = [
        Fuzzer(name: "zip", run: { ZipFuzzing.run($0) }, forge: { ForgedZip.mutate($0, &$1) }),
        Fuzzer(name: "pages", run: { PagesFuzzing.run($0) }),
        Fuzzer(name: "json", run: { JSONFuzzing.run($0) }),
        Fuzzer(name: "scan", run: { ScanFuzzing.run($0) }, forge: { ScanFuzzing.mutate($0, &$1) }),
        Fuzzer(name: "wire", run: { WireFuzzing.run($0) }),
        Fuzzer(name: "description", run: { DescriptionFuzzing.run($0) }),
        Fuzzer(name: "store", run: { StoreFuzzing.run($0) }),
        Fuzzer(name: "content", run: { ContentFuzzing.run($0) }),
        Fuzzer(name: "markdown", run: { MarkdownFuzzing.run($0) }),
        Fuzzer(name: "template", run: { TemplateFuzzing.run($0) }),
        Fuzzer(name: "compose", run: { ComposeFuzzing.run($0) }),
        Fuzzer(name: "tcfs", run: { TCFSFuzzing.run($0) }),
        Fuzzer(name: "session", run: { SessionStoreFuzzing.run($0) }),
    ]

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()

    /// One for the whole process: the fuzzers keep their files in it.
    private static let prepareScratch: Void = {
        let scratch = URL.temporaryDirectory.appending(path: "valise-fuzz-\(getpid())")
        try? FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        setenv("VALISE_FUZZ_SCRATCH", scratch.path, 1)
        atexit { try? FileManager.default.removeItem(atPath: String(cString: getenv("VALISE_FUZZ_SCRATCH"))) }
    }()

    private static func files(of name: String) throws -> [(name: String, bytes: [UInt8])] {
        let corpus = folder.appending(path: "Corpus/\(name)")
        return try FileManager.default.contentsOfDirectory(atPath: corpus.path).sorted().map {
            (
                name: "Fuzz/Corpus/\(name)/\($0)",
                bytes: [UInt8](try Data(contentsOf: corpus.appending(path: $0)))
            )
        }
    }

    @Test(arguments: all) func `nothing that was kept or is made of it breaks a promise`(_ fuzzer: Fuzzer)
        throws
    {
        Self.prepareScratch
        let files = try Self.files(of: fuzzer.name)
        #expect(files.count > 20)
        for file in files { run(fuzzer, file.name, file.bytes) }

        let environment = ProcessInfo.processInfo.environment
        let seed = environment["VALISE_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1_000_000)
        print("fuzzing \(fuzzer.name): VALISE_SEED=\(seed)")
        var mutator = ByteMutator(
            seed: seed,
            dictionary: try String(
                contentsOf: Self.folder.appending(path: "Dictionaries/\(fuzzer.name).dict"), encoding: .utf8),
            corpus: files.map(\.bytes))
        let end = ContinuousClock.now + (environment["VALISE_UNIT"] == nil ? .seconds(1) : .milliseconds(200))
        var count = 0
        while ContinuousClock.now < end {
            run(fuzzer, "a mutation, number \(count)", mutator.next(forge: fuzzer.forge))
            count += 1
        }
        print("fuzzing \(fuzzer.name): \(files.count) kept inputs and \(count) mutations")
    }

    private func run(_ fuzzer: Fuzzer, _ name: String, _ bytes: [UInt8]) {
        FuzzRun.input = (name, bytes)
        fuzzer.run(bytes)
    }
}
