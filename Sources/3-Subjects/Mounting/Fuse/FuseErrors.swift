import SystemPackage
import ValiseFailures

/// The number that programs get for a failure.
enum FuseErrors {
    static func number(of error: any Error) -> Errno {
        guard let failure = error as? any Failure else { return .ioError }
        return switch failure.code {
        case .interrupted: .interrupted
        // The system looks the name up again.
        case .gone: .staleNFSFileHandle
        case .denied, .wrongPassphrase: .permissionDenied
        case .noSpace: .noSpace
        case .inUse: .resourceBusy
        // A piece that is missing is damage of the file, which has a name.
        case .failed, .notFound, .alreadyExists, .damaged, .unsupported, .newer, .invalid: .ioError
        }
    }
}
