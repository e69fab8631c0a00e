import Fuzzing

// The first byte says who reads the rest. Kept inputs begin with it, so readers are only added at the end.
let readers: [([UInt8]) -> Void] = [
    { LogTarget.line($0) },
    { LogTarget.log($0) },
    { SettingsTarget.settings($0) },
    { LogTarget.counters($0) },
    { SettingsTarget.request($0) },
    { LogTarget.name($0) },
]

FuzzRun.start { bytes in
    guard let choice = bytes.first else { return }
    readers[Int(choice) % readers.count](Array(bytes.dropFirst()))
}
