import CFuzzer
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The main loop of a fuzzer.
public enum FuzzRun {
    /// Set before libFuzzer starts, and read on its only thread.
    nonisolated(unsafe) private static var target: (([UInt8]) -> Void)?

    /// What is being read, where somebody else than libFuzzer says it: libFuzzer keeps the input itself.
    nonisolated(unsafe) public static var input: (file: String, bytes: [UInt8])?

    /// Whether libFuzzer runs it: the tests are linked without.
    static var isDriven: Bool { target != nil }

    /// Hands libFuzzer's inputs to `target`, one after the other, until it ends the process.
    public static func start(_ target: @escaping ([UInt8]) -> Void) -> Never {
        Self.target = target
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(
            LLVMFuzzerRunDriver(&count, &arguments) { data, size in
                FuzzRun.target?(Array(UnsafeBufferPointer(start: data, count: size)))
                return 0
            })
    }

    /// Stops the fuzzer, which keeps the input, where something that must hold does not.
    public static func require(_ condition: Bool, _ promise: @autoclosure () -> String) {
        guard !condition else { return }
        let known = input.map {
            "\($0.file) \($0.bytes.map { String($0, radix: 16) }.joined(separator: " "))\n"
        }
        _ = try? FileDescriptor.standardError.writeAll("broken promise: \(promise())\n\(known ?? "")".utf8)
        abort()
    }
}
