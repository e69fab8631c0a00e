import Fuzzing
import SystemPackage
import ValiseEncoding

@testable import ValiseRelay

/// What an operator writes: settings, and requests to a running relay.
enum SettingsTarget {
    static func settings(_ bytes: [UInt8]) {
        guard var settings = try? RelaySettings(String(decoding: bytes, as: UTF8.self), folder: "/srv/relay")
        else { return }
        let text = settings.text
        guard let again = try? RelaySettings(text, folder: "/srv/relay") else {
            return FuzzRun.require(false, "settings are read again from \(text.debugDescription)")
        }
        // What makes no difference is not written.
        settings.ignored = []
        FuzzRun.require(again == settings, "settings stay what they are: \(text.debugDescription)")
    }

    static func request(_ bytes: [UInt8]) {
        guard let request = try? JSONText.decode(ControlRequest.self, from: bytes) else { return }
        let again = (try? JSONText.encodeBytes(request)).flatMap {
            try? JSONText.decode(ControlRequest.self, from: $0)
        }
        FuzzRun.require(again == request, "a request is read again")
    }
}
