public import ArgumentParser
public import ValiseMediaRules

extension MediaKind: ExpressibleByArgument {}
extension TransferProtocol: ExpressibleByArgument {}
