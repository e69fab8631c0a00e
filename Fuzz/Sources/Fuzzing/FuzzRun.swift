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
        _ = try? FileDescriptor.standardError.writeAll("broken promise: \(promise())\n".utf8)
        abort()
    }
}
